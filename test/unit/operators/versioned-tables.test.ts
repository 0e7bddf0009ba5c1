import { string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { type Emitted, PipedJob } from '../runtime-task/piped-job.ts'
import { numbers, others, out } from '../runtime-task/topics.ts'

const shown = (emitted: readonly Emitted[]) => emitted.map(({ key, value, at }) => `${key}:${value}@${at}`)

function joining(grace?: number, cacheEntries = 10): PipedJob {
  return new PipedJob(
    ({ stream, table }) => {
      const rows = table(others, 'rows', { historyRetention: 1000 })
      const pair = (value: number, row: number | null) => `${value}-${row}`
      const joined =
        grace === undefined
          ? stream(numbers).leftJoin(rows, pair)
          : stream(numbers).leftJoin(rows, pair, 'waiting', { grace })
      joined.to(out)
    },
    1,
    cacheEntries,
  )
}

describe.each([false, true])('a versioned table (restarts: %s)', (restarts) => {
  function given(...updates: readonly (readonly [value: number | null, at: number])[]) {
    const piped = joining()
    for (const [value, at] of updates) {
      piped.pipe(others, { key: 'a', value, at })
      if (restarts) piped.restart()
    }
    return (at: number) => shown(piped.pipe(numbers, { key: 'a', value: 0, at }))[0]?.slice('a:0-'.length)
  }

  it('gives the row of the time that is asked for', () => {
    const asOf = given([1, 100], [2, 200], [3, 300])
    expect([99, 100, 199, 200, 299, 300, 10_000].map(asOf)).toEqual([
      'null@99',
      '1@100',
      '1@199',
      '2@200',
      '2@299',
      '3@300',
      '3@10000',
    ])
  })

  it('puts what comes late between what is there, and keeps the latest', () => {
    const asOf = given([1, 100], [3, 300], [2, 200], [null, 250], [0, 50])
    expect([50, 100, 200, 249, 250, 299, 300].map(asOf)).toEqual([
      '0@50',
      '1@100',
      '2@200',
      '2@249',
      'null@250',
      'null@299',
      '3@300',
    ])
  })

  it('knows that a row was deleted, to what comes late too', () => {
    const asOf = given([1, 100], [null, 200], [2, 150])
    expect([120, 150, 199, 200, 500].map(asOf)).toEqual(['1@120', '2@150', '2@199', 'null@200', 'null@500'])
  })

  it('knows of a delete without a row before it', () => {
    const asOf = given([null, 200], [2, 150])
    expect([150, 199, 200].map(asOf)).toEqual(['2@150', '2@199', 'null@200'])
  })

  it('replaces what has the same time', () => {
    const asOf = given([1, 100], [2, 100], [3, 200], [4, 100])
    expect([100, 199, 200].map(asOf)).toEqual(['4@100', '4@199', '3@200'])
  })

  it('leaves out what is older than its history, and does not tell what was before', () => {
    const asOf = given([1, 100], [2, 1500], [9, 499], [5, 500])
    expect([499, 500, 1499, 1500].map(asOf)).toEqual(['null@499', '5@500', '5@1499', '2@1500'])
  })

  it('gives the latest row however old it is', () => {
    const asOf = given([1, 100])
    expect(asOf(1_000_000)).toBe('1@1000000')
  })
})

it('an update out of order reaches streams, and no group', () => {
  const piped = new PipedJob(({ table }) => {
    const rows = table(others, 'rows', { historyRetention: 1000 })
    rows.toStream().to(out)
    rows
      .groupBy((row) => [row % 2 === 0 ? 'even' : 'odd', row], string())
      .count('parities')
      .toStream()
      .to(out)
  })
  expect(shown(piped.pipe(others, { key: 'a', value: 2, at: 100 }))).toEqual(['a:2@100', 'even:1@100'])
  expect(shown(piped.pipe(others, { key: 'a', value: 1, at: 50 }))).toEqual(['a:1@50'])
  expect(shown(piped.pipe(others, { key: 'a', value: 3, at: 150 }))).toEqual(['a:3@150', 'even:0@150', 'odd:1@150'])
})

it('its history is read with the times between which each row was valid', () => {
  const piped = joining()
  for (const [value, at] of [
    [1, 100],
    [2, 200],
    [null, 300],
  ] as const)
    piped.pipe(others, { key: 'a', value, at })
  piped.views.flush()
  const read = (query: object) => [...new StoreReader(piped.file, piped.job, 'rows-history').entries(query)]
  expect(read({})).toEqual([
    { key: 'a', start: 100, end: 200, value: 1, timestamp: 100 },
    { key: 'a', start: 200, end: 300, value: 2, timestamp: 200 },
  ])
  expect(read({ fromTime: 150 }).map(({ value }) => value)).toEqual([2])
  expect(read({ toTime: 150 }).map(({ value }) => value)).toEqual([1])
  expect(read({ key: 'b' })).toEqual([])
})

describe('records that wait for late updates', () => {
  it('go on with their own headers and time, in the order of time, key and arrival', () => {
    const piped = joining(20)
    const headers = (name: string) => [[name, Buffer.from(name)]] as const
    piped.pipe(numbers, { key: 'b', value: 1, at: 10, headers: headers('one') })
    piped.pipe(numbers, { key: 'a', value: 2, at: 12, headers: headers('two') })
    piped.pipe(numbers, { key: 'a', value: 3, at: 10, headers: headers('three') })
    piped.pipe(numbers, { key: 'a', value: 4, at: 10 })
    piped.restart()
    piped.pipe(others, { key: 'a', value: 7, at: 11 })
    expect(shown(piped.pipe(numbers, { key: 'c', value: 5, at: 32 }))).toEqual([
      'a:3-null@10',
      'a:4-null@10',
      'b:1-null@10',
      'a:2-7@12',
    ])
    expect(piped.raw.map((record) => record.headers.map(([name]) => name))).toEqual([['three'], [], ['one'], ['two']])
    expect(piped.store('waiting')).toEqual([['c', 5]])
  })

  it('are joined at once where they are late, or have no key', () => {
    const piped = joining(20)
    piped.pipe(numbers, { key: 'a', value: 1, at: 100 })
    expect(piped.pipe(numbers, { key: 'a', value: 2, at: 80 }).length).toBe(1)
    expect(shown(piped.pipe(numbers, { key: 'a', value: 3, at: 79 }))).toEqual(['a:3-null@79'])
    expect(shown(piped.pipe(numbers, { value: 4, at: 100 }))).toEqual(['null:4-null@100'])
    expect(piped.pipe(numbers, { key: 'a', at: 100 })).toEqual([])
    expect(piped.counts.waiting).toEqual({ unmatched: 3, skipped: { 'null-value': 1 } })
  })

  it('go on all together where time jumps, however many there are', () => {
    const piped = joining(1000)
    for (let at = 0; at < 700; at++) {
      piped.pipe(numbers, { key: `k${at % 7}`, value: at, at })
      if (at === 350) piped.restart()
    }
    expect(piped.emitted()).toEqual([])
    const emitted = piped.pipe(numbers, { key: 'later', value: 0, at: 10_000 })
    expect(emitted.map(({ at }) => at)).toEqual(Array.from({ length: 700 }, (_, at) => at))
  })

  it('go on when time is advanced, or windows are closed', () => {
    const piped = joining(20)
    piped.pipe(numbers, { key: 'a', value: 1, at: 10 })
    piped.pipe(numbers, { key: 'a', value: 2, at: 20 })
    piped.processor.advanceTime(29)
    expect(piped.emitted()).toEqual([])
    piped.processor.advanceTime(30)
    expect(shown(piped.emitted())).toEqual(['a:1-null@10'])
    piped.restart()
    piped.processor.closeWindows()
    expect(shown(piped.emitted())).toEqual(['a:2-null@20'])
  })
})
