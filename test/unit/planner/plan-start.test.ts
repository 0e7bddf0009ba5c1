import { describe, expect, it } from 'vitest'
import { LogFixture } from './log-fixture.ts'
import { planOn, rangeOn, rangesOf, sources, times } from './requests.ts'
import { thrown } from './thrown.ts'

/** `t`: offsets [2, 8) and an empty partition; the table `u`: offsets [1, 4). */
async function filled(): Promise<LogFixture> {
  const fixture = new LogFixture()
  await fixture.create('t', 2)
  await fixture.create('u')
  await fixture.append('t/0', times(8))
  await fixture.append('u/0', times(4))
  await fixture.trim('t/0', 2)
  await fixture.trim('u/0', 1)
  return fixture
}

describe('a first run', () => {
  it.each<[start: string, first: number, second: number]>([
    ['earliest', 2, 0],
    ['latest', 8, 0],
    ['@1005', 5, 0],
    ['@9999', 8, 0],
    ['t/0=3,t/1=0', 3, 0],
    ['+0', 2, 0],
  ])('starts streams at %s, tables at their log start, and gives every partition an offset', async (start, p0, p1) => {
    const { plan, nothingToDo } = await planOn(await filled(), { start, sources: sources('t', '*u') })
    expect(rangesOf(plan)).toEqual({ 'u/0': [1, 4], 't/0': [p0, 8], 't/1': [p1, 0] })
    expect(plan.partitions.map(({ startedBy }) => startedBy)).toEqual(['log-start', 'start', 'start'])
    expect(nothingToDo).toBe(false)
  })

  it('is something to do when every partition is empty: their offsets are new', async () => {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    const { plan, nothingToDo } = await planOn(fixture, { start: 'latest' })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 0], 't/1': [0, 0] })
    expect(nothingToDo).toBe(false)
  })

  it('fails on a start that the log has lost', async () => {
    const error = await thrown(async () => planOn(await filled(), { start: 't/0=1,t/1=0' }))
    expect(error.code).toBe('INPUT_LOST')
  })

  it.each<[start: string, code: string, message: RegExp]>([
    ['9', 'USAGE', /start past the end/],
    ['+7', 'USAGE', /start past the end/],
    ['t/0=3', 'USAGE', /leaves out t\/1/],
    ['t/0=3,t/1=0,t/2=0', 'USAGE', /names t\/2: t has 2 partitions/],
    ['checkpoint', 'JOB_INVALID', /start of job job "checkpoint"/],
    ['soon', 'JOB_INVALID', /start of job job "soon" is not a bound/],
  ])('refuses the start %s', async (start, code, message) => {
    const error = await thrown(async () => planOn(await filled(), { start }))
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
  })
})

describe('a later run', () => {
  it('goes on from the checkpoint, whatever the start of the job is', async () => {
    const fixture = await filled()
    const checkpoint = fixture.checkpoint({ 't/0': 5, 't/1': 0, 'u/0': 2 })
    const { plan } = await planOn(fixture, { checkpoint, start: 'latest', sources: sources('t', '*u') })
    expect(rangesOf(plan)).toEqual({ 'u/0': [2, 4], 't/0': [5, 8], 't/1': [0, 0] })
  })

  it('starts a partition that the checkpoint does not know at 0, and names it', async () => {
    const fixture = await filled()
    await fixture.append('t/1', times(3))
    const { plan } = await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 8 }), start: 'latest' })
    expect(rangesOf(plan)).toEqual({ 't/0': [8, 8], 't/1': [0, 3] })
    expect(plan.partitions[1]?.startedBy).toBe('new-partition')
    expect(plan.notices).toEqual([expect.stringMatching(/new since the last run.*t\[1\]/)])
  })

  it('has nothing to do where every partition stands at its end', async () => {
    const fixture = await filled()
    const checkpoint = fixture.checkpoint({ 't/0': 8, 't/1': 0 })
    const idle = await planOn(fixture, { checkpoint })
    expect(idle.nothingToDo).toBe(true)
    expect(rangesOf(idle.plan)).toEqual({ 't/0': [8, 8], 't/1': [0, 0] })
    expect(idle.plan.notices).toEqual([])
    expect((await planOn(fixture, { checkpoint, closeWindows: true })).nothingToDo).toBe(false)
    expect((await planOn(fixture, { checkpoint, to: '@2000', advanceTime: true })).nothingToDo).toBe(false)
    expect((await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 8 }) })).nothingToDo).toBe(false)
  })

  it('has no start of its own', async () => {
    const fixture = await filled()
    const error = await thrown(() => planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 8 }), from: '3' }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(/goes on from there/)
  })
})

describe('an empty range generation', () => {
  it.each<[from: string, p0: number]>([
    ['earliest', 2],
    ['2', 2],
    ['t/0=7,t/1=0', 7],
    ['@1006', 6],
    ['latest', 8],
  ])('starts streams at %s and tables at their log start', async (from, p0) => {
    const fixture = await filled()
    if (from === '2') await fixture.append('t/1', times(2))
    const { plan } = await rangeOn(fixture, from, 'latest', { sources: sources('t', '*u') })
    expect(rangesOf(plan)).toMatchObject({ 'u/0': [1, 4], 't/0': [p0, 8] })
  })

  it('reads a duration against the clock of the run', async () => {
    const { plan } = await rangeOn(await filled(), '-6h', '-1h', { now: 6 * 3_600_000 + 1004 })
    expect(rangesOf(plan)['t/0']).toEqual([4, 8])
    expect(plan.asked).toEqual({ from: '-6h', to: '-1h' })
    expect(plan.times).toEqual({ from: 1004, to: 5 * 3_600_000 + 1004 })
  })

  it('from checkpoint starts streams where the live generation stands', async () => {
    const fixture = await filled()
    const liveCheckpoint = fixture.checkpoint({ 't/0': 6, 'u/0': 3 })
    const { plan } = await rangeOn(fixture, 'checkpoint', 'latest', { liveCheckpoint, sources: sources('t', '*u') })
    expect(rangesOf(plan)).toEqual({ 'u/0': [1, 4], 't/0': [6, 8], 't/1': [0, 0] })
  })

  it.each<[from: string, to: string, message: RegExp]>([
    ['checkpoint', 'latest', /--from checkpoint: the job has no checkpoint yet/],
    ['earliest', 'checkpoint', /--to checkpoint: the job has no checkpoint yet/],
    ['u/0=1', 'latest', /names u\/0, which this bound cannot set/],
    ['t/0=3', 'latest', /--from leaves out t\/1/],
  ])('refuses %s to %s', async (from, to, message) => {
    const error = await thrown(async () => rangeOn(await filled(), from, to, { sources: sources('t', '*u') }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(message)
  })

  it('without a name is named after its bounds', async () => {
    const fixture = await filled()
    const named = await rangeOn(fixture, '@86400000', '@172800000', { generation: null })
    expect(named.plan.generation).toBe('1970-01-02_1970-01-03')
    const hashed = await rangeOn(fixture, 'earliest', 'latest', { generation: null })
    expect(hashed.plan.generation).toMatch(/^x[0-9a-f]{8}$/)
    expect((await rangeOn(fixture, 'earliest', 'latest', { generation: null })).plan).toEqual(hashed.plan)
    await fixture.append('t/1', [5000])
    const later = await rangeOn(fixture, 'earliest', 'latest', { generation: null })
    expect(later.plan.generation).not.toBe(hashed.plan.generation)
  })
})

describe('a range generation that has a checkpoint', () => {
  it('goes on from its own, as a backfill does', async () => {
    const fixture = await filled()
    const liveCheckpoint = fixture.checkpoint({ 't/0': 7, 't/1': 0 })
    const checkpoint = fixture.checkpoint({ 't/0': 4, 't/1': 0 })
    const { plan } = await rangeOn(fixture, 'checkpoint', '@1006', { checkpoint, liveCheckpoint })
    expect(rangesOf(plan)['t/0']).toEqual([4, 6])
    const toLive = await rangeOn(fixture, 'checkpoint', 'checkpoint', { checkpoint, liveCheckpoint })
    expect(rangesOf(toLive.plan)['t/0']).toEqual([4, 7])
  })
})
