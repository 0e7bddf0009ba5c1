import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { offsetsAtTime } from '../../../src/planner/time-bound.ts'
import type { Isolation } from '../../../src/ports/log.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { LogFixture } from './log-fixture.ts'
import { VagueLog, WatchedLog } from './odd-logs.ts'

const ALL = { isolation: 'read_committed', latest: Number.POSITIVE_INFINITY } as const
const whole = (to: number, from = 0) => [{ topic: 't', partition: 0, from, to }]

async function logOf(records: readonly number[], perBatch = records.length): Promise<LogFixture> {
  const fixture = new LogFixture()
  await fixture.create('t')
  await fixture.append('t/0', records, perBatch)
  return fixture
}

describe('a time is the first record at or past it', () => {
  it.each<[what: string, records: readonly number[], time: number, offset: number]>([
    ['exactly', [1000, 2000, 3000], 2000, 1],
    ['in between', [1000, 2000, 3000], 1001, 1],
    ['before all', [1000, 2000, 3000], 0, 0],
    ['past all: the end', [1000, 2000, 3000], 3001, 3],
    ['out of order', [1000, 5000, 2000, 3000], 2000, 1],
    ['among records without a time', [-1, -1, 1000], 0, 2],
    ['the first of equal ones', [1000, 2000, 2000], 2000, 1],
  ])('%s', async (_, records, time, offset) => {
    for (const perBatch of [1, 2, 9]) {
      const { log } = await logOf(records, perBatch)
      expect(await offsetsAtTime(log, whole(records.length), time, ALL)).toEqual([offset])
    }
  })

  it('of an empty log is its end', async () => {
    const { log } = await logOf([])
    expect(await offsetsAtTime(log, whole(0), 5, ALL)).toEqual([0])
  })

  it('below the end that was fetched before, whatever has come since', async () => {
    for (const perBatch of [1, 3]) {
      const { log } = await logOf([1000, 2000, 3000], perBatch)
      expect(await offsetsAtTime(log, whole(1), 3000, ALL)).toEqual([1])
    }
  })

  it('not before the log start', async () => {
    const fixture = await logOf([1000, 2000, 3000])
    await fixture.trim('t/0', 2)
    expect(await offsetsAtTime(fixture.log, whole(3, 2), 1000, ALL)).toEqual([2])
  })

  it('not before where the target begins', async () => {
    for (const perBatch of [1, 3]) {
      const { log } = await logOf([5000, 10, 6000], perBatch)
      expect(await offsetsAtTime(log, whole(3, 1), 4000, ALL)).toEqual([2])
    }
  })

  it('in the order asked, each partition by itself', async () => {
    const fixture = new LogFixture()
    await fixture.create('t', 3)
    await fixture.append('t/0', [1, 5, 9])
    await fixture.append('t/2', [7])
    const targets = [2, 0, 1].map((partition) => ({ topic: 't', partition, from: 0, to: [3, 0, 1][partition] ?? 0 }))
    expect(await offsetsAtTime(fixture.log, targets, 6, ALL)).toEqual([0, 2, 0])
    expect(await offsetsAtTime(fixture.log, [], 6, ALL)).toEqual([])
  })

  it('without those of aborted transactions, and their markers', async () => {
    const fixture = await logOf([5])
    fixture.transaction('t/0', [20]).abort()
    await fixture.append('t/0', [6, 21])
    expect(await offsetsAtTime(new VagueLog(fixture.cluster), whole(5), 10, ALL)).toEqual([4])
    const uncommitted = { ...ALL, isolation: 'read_uncommitted' } as const
    expect(await offsetsAtTime(new VagueLog(fixture.cluster), whole(5), 10, uncommitted)).toEqual([1])
  })

  it('without those that lie too far in the future', async () => {
    const { log } = await logOf([1000, 9000, 1001, 2000])
    expect(await offsetsAtTime(log, whole(4), 1500, { ...ALL, latest: 8999 })).toEqual([3])
    expect(await offsetsAtTime(log, whole(4), 1500, { ...ALL, latest: 9000 })).toEqual([1])
  })

  it('and is read no further than that record', async () => {
    const { cluster } = await logOf([1000, 2000, 3000, 4000, 5000], 1)
    const log = new WatchedLog(cluster)
    expect(await offsetsAtTime(log, whole(5), 2500, ALL)).toEqual([2])
    expect(log.opened).toEqual(['t/0 2-5'])
    expect(log.chunks).toBe(1)
    expect(await offsetsAtTime(log, whole(5), 6000, ALL)).toEqual([5])
    expect(log.chunks).toBe(1)
  })
})

type Piece = { readonly kind: 'plain' | 'committed' | 'aborted' | 'hole'; readonly times: readonly number[] }

const piece: fc.Arbitrary<Piece> = fc.record({
  kind: fc.constantFrom('plain', 'committed', 'aborted', 'hole'),
  times: fc.array(fc.integer({ min: -1, max: 20 }), { minLength: 1, maxLength: 4 }),
})

describe('a time bound', () => {
  it('is the naive answer, for any log, time and look-up', async () => {
    const property = fc.asyncProperty(
      fc.array(piece, { maxLength: 8 }),
      fc.nat(21),
      fc.nat(25),
      fc.constantFrom<Isolation>('read_committed', 'read_uncommitted'),
      async (pieces, time, latest, isolation) => {
        const { fixture, records } = await build(pieces)
        const [bounds] = await fixture.log.bounds([{ topic: 't', partition: 0 }], isolation)
        const end = bounds?.end ?? 0
        const naive = records.find(({ timestamp, visible }) => {
          return timestamp >= time && timestamp <= latest && (visible || isolation === 'read_uncommitted')
        })
        for (const log of [fixture.log, new VagueLog(fixture.cluster)]) {
          expect(await offsetsAtTime(log, whole(end), time, { isolation, latest })).toEqual([naive?.offset ?? end])
        }
      },
    )
    await fc.assert(property, propertyRuns(200))
  })
})

async function build(pieces: readonly Piece[]) {
  const fixture = await logOf([])
  const records: { offset: number; timestamp: number; visible: boolean }[] = []
  let next = 0
  for (const { kind, times } of pieces) {
    if (kind === 'hole') fixture.cluster.skip({ topic: 't', partition: 0 }, times.length)
    else
      records.push(
        ...times.map((timestamp, index) => ({ offset: next + index, timestamp, visible: kind !== 'aborted' })),
      )
    next += times.length
    if (kind === 'plain') await fixture.append('t/0', times)
    if (kind === 'committed') fixture.transaction('t/0', times).commit()
    if (kind === 'aborted') fixture.transaction('t/0', times).abort()
    if (kind === 'committed' || kind === 'aborted') next++
  }
  return { fixture, records }
}
