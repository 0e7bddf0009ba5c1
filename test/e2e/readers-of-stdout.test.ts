import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import { BINARY, startIn, workplace } from './helpers/tidemark.ts'

/** More than a pipe holds, several times over. */
const ROWS = 30_000
const LEFT = 74

describe('a reader of what tidemark writes', () => {
  const place = workplace()

  beforeAll(async () => {
    const value = 'x'.repeat(100)
    place.file('words.jsonl', Array.from({ length: ROWS }, (_, n) => `{"id":"k${n}","text":"${value}"}\n`).join(''))
    place.file(
      'jobs/words.ts',
      `import { job, json, string, topic } from 'tidemark'
      const words = topic('words', { key: string(), value: json<{ text: string }>() })
      export default job('words', {}, ({ stream }) => {
        stream(words).print('words')
        stream(words).groupByKey().count('counts')
      })
      `,
    )
    await place.json('log', 'import', 'words', 'words.jsonl', '--key', 'id')
    await place.json('run', 'words')
  })

  it.each([
    ['log', 'tail', 'words', '-n', String(ROWS)],
    ['log', 'export', 'words'],
    ['state', 'words', 'counts'],
    ['state', 'words', 'counts', '--format', 'csv'],
    ['state', 'words', 'counts', '--format', 'json'],
    ['state', 'words', 'counts', '--json'],
    ['run', 'words', '--from', 'earliest', '--as', 'unread'],
  ])('may go away: tidemark %s %s %s … ends without a word', (...args) => {
    const pipeline = '"$0" "$@" | head -c 10 >/dev/null; echo "$' + '{PIPESTATUS[0]}"'
    const shell = spawnSync('bash', ['-c', pipeline, process.execPath, BINARY, ...args], {
      cwd: place.path,
      encoding: 'utf8',
    })
    expect(shell).toMatchObject({ stdout: `${LEFT}\n`, stderr: '' })
  })

  it('may go away while a job prints: the run is done again, whole', async () => {
    const again = await place.json<{ records: number }>('run', 'words', '--from', 'earliest', '--as', 'unread')
    expect(again.records).toBe(ROWS)
  })

  it.each(['csv', 'json'])('may be slow: a store as %s comes whole', async (format) => {
    const { child, ended } = startIn(place.path, ['state', 'words', 'counts', '--format', format])
    slow(child.stdout)
    const { status, stdout, stderr } = await ended
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => /k\d+/.test(line))).toHaveLength(ROWS)
    expect(stdout.endsWith('\n')).toBe(true)
  })

  it('may be slow: what a job prints comes whole, and nothing is said of listeners', async () => {
    const { child, ended } = startIn(place.path, ['run', 'words', '--from', 'earliest', '--as', 'read'])
    slow(child.stdout)
    const { status, stdout, stderr } = await ended
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').filter((line) => line.startsWith('[words]: '))).toHaveLength(ROWS)
  })
})

/** Takes a chunk in a turn of the event loop, and none in the next ones. */
function slow(stream: NodeJS.ReadableStream | null): void {
  stream?.on('data', () => {
    stream.pause()
    setImmediate(() => setImmediate(() => stream.resume()))
  })
}
