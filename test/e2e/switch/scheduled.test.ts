import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { expectVerified } from '../helpers/expect-verified.ts'
import { type Started, startIn, workplace } from '../helpers/tidemark.ts'
import { asJsonLines, FIRST, LAST, LATER, RIGHT, tally, totalsOf, WRONG } from './shops.ts'
import { answer, call, type Place, publishedBy } from './switch-world.ts'

const TOPICS = { sales: 'sales', totals: 'totals' }

describe('a switch under a scheduler that runs the job every second', () => {
  const here = workplace()
  const place: Place = {
    folder: here.path,
    topics: TOPICS,
    start: (args, env) => startIn(here.path, args, env),
    openLog: () => SqliteLog.open(join(here.path, '.tidemark', 'log.db')),
  }
  const sell = async (sales: readonly string[]) => {
    here.file('sales.jsonl', asJsonLines(sales))
    await call(place, 'log', 'import', 'sales', 'sales.jsonl', '--key', 'shop')
  }

  it('loses no slot and no record', { timeout: 180_000 }, async () => {
    here.file('jobs/tally.ts', tally(WRONG, TOPICS))
    await sell(FIRST)
    const scheduler = place.start(['schedule'])
    await runsDone(scheduler, 2)
    here.file('jobs/tally-2.ts', tally(RIGHT, TOPICS))
    await call(place, 'reprocess', 'tally', '--as', 'g2', '--with', 'jobs/tally-2.ts')
    await sell(LATER)
    await free(place, 'diff', 'tally', 'g2')
    await free(place, 'switch', 'tally', 'g2')
    await sell(LAST)
    await runsDone(scheduler, 2)
    scheduler.child.kill('SIGTERM')
    expect((await scheduler.ended).status).toBe(143)
    await call(place, 'schedule', '--once')

    const sold = [...FIRST, ...LATER, ...LAST]
    expect((await publishedBy(place)).table).toEqual(totalsOf(sold, (amount) => amount))
    const { slots } = await answer<{ slots: { first: string; slot: string; count: number; state: string }[] }>(
      place,
      ...['slots', 'tally', '--limit', '10000'],
    )
    const times = slots.toReversed().flatMap(({ first, count }) => {
      return Array.from({ length: count }, (_, index) => Date.parse(first) + 1000 * index)
    })
    expect(new Set(slots.map(({ state }) => state))).toEqual(new Set(['covered']))
    expect(times).toEqual(times.map((_, index) => (times[0] ?? 0) + 1000 * index))
    expect(await ranges(place)).toEqual([[0, sold.length]])
    for (const each of ['g1', 'g2']) await expectVerified(place, 'tally', '--generation', each)
  })
})

/** The ranges of the live generation, those that meet as one. */
async function ranges(place: Place): Promise<readonly (readonly [number, number])[]> {
  const runs = await answer<{ runs: { partitions: { topic: string; from: number; to: number }[] }[] }>(
    place,
    ...['runs', 'tally', '--limit', '10000'],
  )
  const read = runs.runs.toReversed().flatMap(({ partitions }) => partitions.filter(({ from, to }) => from < to))
  const joined: [number, number][] = []
  for (const { from, to } of read) {
    const last = joined.at(-1)
    if (last?.[1] === from) last[1] = to
    else joined.push([from, to])
  }
  return joined
}

/** Resolves when the scheduler has told of so many runs more. */
async function runsDone({ child }: Started, count: number): Promise<void> {
  let words = ''
  while ([...words.matchAll(/run \w+ done/g)].length < count) {
    const [text] = await once(child.stderr as NodeJS.ReadableStream, 'data')
    words += String(text)
  }
}

/** What a person does whose command meets a run that is under way: says it again. */
async function free(place: Place, ...args: readonly string[]): Promise<void> {
  for (;;) {
    const { status, stderr } = await place.start(args).ended
    if (status === 0) return
    if (status !== 75) throw new Error(`tidemark ${args.join(' ')} ended with ${status}\n${stderr}`)
  }
}
