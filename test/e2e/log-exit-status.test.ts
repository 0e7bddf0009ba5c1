import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BINARY, workplace } from './helpers/tidemark.ts'

/** Case E6: status 0 only where all was done, or nothing was to do. */
describe('the exit status', () => {
  const place = workplace()

  it('is 0 for version and help', async () => {
    const { status, stdout } = await place.run(['--version'])
    expect(status).toBe(0)
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(await place.json('--version')).toEqual({ version: stdout.trim() })
    const help = await place.run(['log', '--help'])
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toContain('tidemark log import <topic> <file>')
  })

  it('is 64 for what is not understood, with nothing on stdout', async () => {
    for (const args of [[], ['log'], ['lgo'], ['log', 'create'], ['log', 'create', 't', '--partitions', 'x']]) {
      expect(await place.run(args)).toMatchObject({ status: 64, stdout: '' })
    }
  })

  it('comes with one document where --json asked for one, also after a failure', async () => {
    const { status, stdout, stderr } = await place.run(['log', 'create', 'a/b', '--json'])
    expect(status).toBe(64)
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'USAGE', message: expect.stringContaining('a/b'), hint: expect.stringContaining('Topic names') },
    })
    expect(stderr).toContain('code: USAGE (exit status 64)')
  })

  it('is 78 for a job file with a mistake', async () => {
    place.file('jobs/broken.ts', 'export default 1 +\n')
    const { status, stderr } = await place.run(['run', 'broken'])
    expect(status).toBe(78)
    expect(stderr).toMatch(/error: jobs\/broken\.ts:\d: /)
  })

  it('is 70 where a job rejects a promise that nobody awaits', async () => {
    place.file(
      'jobs/rejects.ts',
      `import { job, string, topic } from 'tidemark'
      Promise.reject(new Error('lost'))
      const text = { key: string(), value: string() }
      export default job('rejects', {}, ({ stream }) => stream(topic('in', text)).to(topic('out', text)))\n`,
    )
    const { status, stdout, stderr } = await place.run(['run', 'rejects', '--json'])
    expect(status).toBe(70)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'UNEXPECTED', message: expect.stringContaining('lost') },
    })
    expect(stderr).not.toContain('rejects.ts:2')
    const debugged = await place.run(['run', 'rejects'], { TIDEMARK_DEBUG: '1' })
    expect(debugged.stderr).toContain('rejects.ts:2')
  })

  it('is not 0 where the reader of the output goes away', async () => {
    place.file('many.jsonl', `${'{"a":"some text that takes room"}\n'.repeat(20_000)}`)
    await place.json('log', 'import', 'many', 'many.jsonl', '--timestamp', '@0')
    const child = spawn(process.execPath, [BINARY, 'log', 'export', 'many'], { cwd: place.path })
    child.stdout.once('data', () => child.stdout.destroy())
    const status = await new Promise((resolve) => child.on('close', resolve))
    expect(status).toBe(74)
  })

  it('is that of the signal where an import is stopped, and nothing is imported', async () => {
    place.file('slow.csv', `a,b\n${'1,2\n'.repeat(3_000_000)}`)
    await place.json('log', 'create', 'other')
    const child = spawn(process.execPath, [BINARY, 'log', 'import', 'slow', 'slow.csv'], { cwd: place.path })
    // Its folder for what waits appears when a good part of the file is read.
    const watcher = watch(join(place.path, '.tidemark'), (_, name) => {
      if (name === 'tmp') child.kill('SIGTERM')
    })
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    const status = await new Promise((resolve) => child.on('close', resolve))
    watcher.close()
    expect(status).toBe(143)
    expect(stderr).toContain('code: TERMINATED')
    expect(await place.run(['log', 'list', 'slow'])).toMatchObject({ status: 66 })
  })
})
