import { describe, expect, it } from 'vitest'
import { LogFixture } from './log-fixture.ts'
import { planOn, rangeOn, rangesOf, sources, times } from './requests.ts'

describe('a table that begins after the streams end', () => {
  async function joined(tableTimes: readonly number[], streamTimes: readonly number[]): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    await fixture.create('u', 2)
    await fixture.append('t/1', streamTimes)
    await fixture.append('u/0', tableTimes)
    return fixture
  }
  const both = { sources: sources('t', '*u') }
  const late = expect.stringMatching(/^the table u begins at 1970-01-01T00:00:05Z, later than every stream record/)

  it.each<[what: string, table: readonly number[], stream: readonly number[], to: string, warned: boolean]>([
    ['later than every stream record', [5000, 6000], [1000, 4999], 'latest', true],
    ['at the time of the last stream record', [5000], [1000, 5000], 'latest', false],
    ['before all', [500], [1000, 2000], 'latest', false],
    ['between', [1500], [1000, 2000], 'latest', false],
    ['in the middle of the streams, but after their end', [5000], [1000, 2000, 6000], '@3000', true],
    ['in the middle of the streams, but past their offset', [5000], [1000, 2000, 6000], 't/0=0,t/1=2', true],
    ['after a stream record that comes out of order', [5000], [1000, 7000, 2000], 'latest', false],
    ['with a first record that is not its earliest', [5000, 10], [1000], 'latest', true],
    ['with nothing', [], [1000], 'latest', false],
    ['where the streams have nothing', [5000], [], 'latest', false],
  ])('is warned of: %s', async (_, table, stream, to, warned) => {
    const fixture = await joined(table, stream)
    const { plan } = await rangeOn(fixture, 'earliest', to, both)
    expect(plan.notices.filter((notice) => notice.includes('begins at'))).toEqual(warned ? [late] : [])
  })

  it('is warned of on the first run, and not later', async () => {
    const fixture = await joined([5000], [1000])
    expect((await planOn(fixture, both)).plan.notices).toEqual([late])
    const checkpoint = fixture.checkpoint({ 't/0': 0, 't/1': 0, 'u/0': 0, 'u/1': 0 })
    expect((await planOn(fixture, { ...both, checkpoint })).plan.notices).toEqual([])
  })

  it('takes the partition that begins first', async () => {
    const fixture = await joined([5000], [1000, 2000])
    await fixture.append('u/1', [900])
    expect((await planOn(fixture, both)).plan.notices).toEqual([])
  })

  it.each([0, 1])('is not judged where event time is not the records own (source %d)', async (index) => {
    const fixture = await joined([5000], [1000])
    const made = both.sources.map((source, at) => ({ ...source, recordTime: at !== index }))
    expect((await planOn(fixture, { sources: made })).plan.notices).toEqual([])
  })
})

describe('a partition held at its checkpoint by a record past the time asked', () => {
  async function poisoned(records: readonly number[]): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', records, 2)
    return fixture
  }
  const held = (notices: readonly string[]) => notices.filter((notice) => notice.includes('is held at'))

  it.each<[what: string, records: readonly number[], checkpoint: number, to: number, by: number | null]>([
    ['by the next record, with earlier ones behind it', [1000, 9999, 1001, 1002], 1, 2000, 1],
    ['by a record that was read before', [1000, 9999, 1001, 1002], 2, 2000, 1],
    ['by the next record, with nothing before the time behind it', [1000, 9999, 5000], 1, 2000, null],
    ['by a record that was read before, with nothing left', [1000, 9999], 2, 2000, null],
    ['not: it moves', [1000, 1001, 9999, 1002], 1, 2000, null],
    ['not: only records without a time lie behind', [1000, 9999, -1], 1, 2000, null],
  ])('%s', async (_, records, at, to, by) => {
    const fixture = await poisoned(records)
    const { plan } = await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': at }), to: `@${to}` })
    const sentence = `t[0] is held at ${at} by the record at ${by}, which is past 1970-01-01T00:00:02Z`
    expect(held(plan.notices)).toEqual(by === null ? [] : [expect.stringContaining(sentence)])
  })

  it.each<[then: 'skip' | 'dead-letter' | 'fail', to: number]>([
    ['skip', 4],
    ['dead-letter', 4],
    ['fail', 1],
  ])('is not, when maxFutureSkew has it passed over: %s', async (then, to) => {
    const fixture = await poisoned([1000, 9999, 1001, 1002, 2000, 9998])
    const maxFutureSkew = { limitMs: 500, then }
    const checkpoint = fixture.checkpoint({ 't/0': 1 })
    const { plan } = await planOn(fixture, { checkpoint, to: '@2000', now: 2100, maxFutureSkew })
    expect(rangesOf(plan)).toEqual({ 't/0': [1, to] })
    expect(held(plan.notices)).toHaveLength(then === 'fail' ? 1 : 0)
  })
})

describe('a compacted topic', () => {
  it('of a range is said to be compacted', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.create('u', 1, { 'cleanup.policy': 'compact,delete' })
    await fixture.append('t/0', times(2))
    await fixture.append('u/0', times(2))
    const both = { sources: sources('t', '*u') }
    const said = [expect.stringMatching(/^topic u is compacted: what compaction has removed is not seen/)]
    expect((await rangeOn(fixture, 'earliest', 'latest', both)).plan.notices).toEqual(said)
    expect((await planOn(fixture, both)).plan.notices).toEqual([])
  })
})

describe('a topic that the job writes and reads', () => {
  it('is passed on inside, and nothing else may write there', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    const { plan } = await planOn(fixture, { exchanges: ['rekeyed'] })
    expect(plan.notices).toEqual(['topic rekeyed is passed on inside this job: nothing else may write there'])
    expect(Object.keys(plan.topicIds)).toEqual(['t'])
  })
})

describe('a plan', () => {
  it('lists tables before streams, then the order of the topology, then partitions', async () => {
    const fixture = new LogFixture()
    for (const name of ['a', 'b', 'c', 'd']) await fixture.create(name, 2)
    const { plan } = await planOn(fixture, { sources: sources('d', '*c', 'b', '*a') })
    expect(Object.keys(rangesOf(plan))).toEqual(['c/0', 'c/1', 'a/0', 'a/1', 'd/0', 'd/1', 'b/0', 'b/1'])
    expect(plan.topicIds).toEqual(Object.fromEntries((await fixture.log.describe()).map(({ name, id }) => [name, id])))
  })

  it('is the same each time on the same log', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(5))
    expect((await planOn(fixture)).plan).toEqual((await planOn(fixture)).plan)
  })
})
