import { type JoinWindows, joinWindows, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { type Emitted, PipedJob } from '../runtime-task/piped-job.ts'
import { numbers, others, out } from '../runtime-task/topics.ts'

const MANY = 700

const pair = (one: number | null, other: number | null) => `${one}-${other}`

function outer(windows: JoinWindows, cacheEntries = 10): PipedJob {
  return new PipedJob(
    ({ stream }) => {
      stream(numbers).outerJoin(stream(others), pair, windows, 'pairs').to(out)
    },
    1,
    cacheEntries,
  )
}

const shown = (emitted: readonly Emitted[]) => emitted.map(({ key, value, at }) => `${key}:${value}@${at}`)

describe('records that nothing matches', () => {
  it.each([false, true])('go out all at once and in order, however many there are (restarts: %s)', (restarts) => {
    const piped = outer(joinWindows(10))
    const expected: string[] = []
    for (let at = 0; at < MANY; at++) {
      piped.pipe(at % 3 === 0 ? others : numbers, { key: `k${at}`, value: at, at: 5 })
      if (restarts && at % 100 === 0) piped.restart()
    }
    // by time, right before left, key
    const keys = Array.from({ length: MANY }, (_, at) => at)
    const byKey = (one: number, other: number) => (`k${one}` < `k${other}` ? -1 : 1)
    for (const at of keys.filter((at) => at % 3 === 0).sort(byKey)) expected.push(`k${at}:null-${at}@5`)
    for (const at of keys.filter((at) => at % 3 !== 0).sort(byKey)) expected.push(`k${at}:${at}-null@5`)
    expect(shown(piped.pipe(numbers, { key: 'later', value: 1, at: 16 }))).toEqual(expected)
    expect(piped.store('pairs-left-unmatched')).toEqual([['later', 1]])
    expect(piped.store('pairs-right-unmatched')).toEqual([])
  })

  it('do not go out with those of the other side that still wait among them', () => {
    const piped = outer(joinWindows({ before: 1000, after: 0 }))
    for (let at = 0; at < MANY; at++) piped.pipe(at % 2 === 0 ? numbers : others, { key: `k${at}`, value: at, at })
    const rights = Array.from({ length: MANY }, (_, at) => at).filter((at) => at % 2 === 1)
    // left ones went out with the next record, since nothing after them can match; right ones wait for 1000
    expect(piped.store('pairs-left-unmatched')).toEqual([['k698', 698]])
    expect(piped.store('pairs-right-unmatched')).toHaveLength(rights.length)
    const emitted = shown(piped.pipe(numbers, { key: 'later', value: 0, at: 3000 }))
    expect(emitted).toEqual(
      [...rights, 698]
        .sort((one, other) => one - other)
        .map((at) => (at === 698 ? 'k698:698-null@698' : `k${at}:null-${at}@${at}`)),
    )
  })

  it('are forgotten with their match, those of the same key and time all together', () => {
    const piped = outer(joinWindows(10))
    for (const value of [1, 2, 3]) piped.pipe(numbers, { key: 'a', value, at: 5 })
    expect(shown(piped.pipe(others, { key: 'a', value: 9, at: 7 }))).toEqual(['a:1-9@7', 'a:2-9@7', 'a:3-9@7'])
    expect(shown(piped.pipe(numbers, { key: 'b', value: 0, at: 100 }))).toEqual([])
  })

  it('without a key go out at once where they go out at all; without a value they are left out', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).leftJoin(stream(others), pair, joinWindows(10), 'pairs').to(out)
    })
    expect(shown(piped.pipe(numbers, { value: 1, at: 3 }))).toEqual(['null:1-null@3'])
    expect(piped.pipe(others, { value: 1, at: 3 })).toEqual([])
    expect(piped.pipe(numbers, { key: 'a', at: 50 })).toEqual([])
    expect(piped.counts.pairs).toEqual({ unmatched: 1, skipped: { 'null-key': 1, 'null-value': 1 } })
    // what is left out has moved stream time: the window is over at once
    expect(shown(piped.pipe(numbers, { key: 'a', value: 2, at: 39 }))).toEqual(['a:2-null@39'])
  })

  it('go out when time is advanced, or windows are closed', () => {
    const piped = outer(joinWindows({ before: 10, after: 20 }, { grace: 5 }))
    piped.pipe(numbers, { key: 'a', value: 1, at: 0 })
    piped.pipe(others, { key: 'b', value: 2, at: 9 })
    piped.pipe(numbers, { key: 'c', value: 3, at: 9 })
    piped.restart()
    piped.processor.advanceTime(25)
    expect(shown(piped.emitted())).toEqual(['b:null-2@9'])
    piped.processor.advanceTime(26)
    expect(shown(piped.emitted())).toEqual(['a:1-null@0'])
    piped.restart()
    piped.processor.closeWindows()
    expect(shown(piped.emitted())).toEqual(['c:3-null@9'])
    expect(piped.processor.streamTimes()['pairs/0']).toBe(35)
    piped.processor.closeWindows()
    expect(piped.emitted()).toEqual([])
  })

  it('carry the headers of the record that let them go', () => {
    const piped = outer(joinWindows(10))
    const headers = (name: string) => [[name, null]] as const
    piped.pipe(numbers, { key: 'a', value: 1, at: 0, headers: headers('first') })
    piped.pipe(numbers, { key: 'b', value: 2, at: 50, headers: headers('second') })
    expect(piped.raw.map((record) => record.headers)).toEqual([headers('second')])
  })
})

it('records of equal times meet where the windows have no width', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers).join(stream(others), pair, joinWindows(0), 'pairs').to(out)
  })
  piped.pipe(numbers, { key: 'a', value: 1, at: 5 })
  expect(shown(piped.pipe(others, { key: 'a', value: 2, at: 5 }))).toEqual(['a:1-2@5'])
})

it('rekeyed streams meet in the tasks of their keys', () => {
  const piped = new PipedJob(({ stream }) => {
    const byValue = stream(numbers).selectKey((value) => `v${value}`, string())
    byValue.join(stream(others), pair, joinWindows(10), 'pairs').to(out)
  }, 4)
  piped.pipe(others, { key: 'v7', value: 1, at: 1, partition: 1 })
  expect(shown(piped.pipe(numbers, { key: 'x', value: 7, at: 2, partition: 3 }))).toEqual(['v7:7-1@2'])
})
