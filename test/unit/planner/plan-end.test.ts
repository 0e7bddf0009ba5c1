import { describe, expect, it } from 'vitest'
import { LogFixture } from './log-fixture.ts'
import { NOW, planOn, rangeOn, rangesOf, sources, times } from './requests.ts'
import { thrown } from './thrown.ts'

/** `t`: ten records and three; the table `u`: four. Times rise by one from 1000. */
async function filled(): Promise<LogFixture> {
  const fixture = new LogFixture()
  await fixture.create('t', 2)
  await fixture.create('u')
  await fixture.append('t/0', times(10))
  await fixture.append('t/1', times(3))
  await fixture.append('u/0', times(4))
  return fixture
}

describe('the end of a live run', () => {
  it.each<[to: string, p0: number, p1: number, u: number, notices: RegExp[]]>([
    ['latest', 10, 3, 4, []],
    ['3', 3, 3, 3, []],
    ['4', 4, 3, 4, [/4, lies past the log and is cut: t\[1\] ends at 3$/]],
    ['100', 10, 3, 4, [/100, lies past the log and is cut: u\[0\] ends at 4, t\[0\] ends at 10, t\[1\] ends at 3/]],
    ['+2', 4, 3, 3, []],
    ['t/0=7,t/1=0,u/0=4', 7, 1, 4, [/lies before where these stand, and they stay: t\[1\] at 1, not 0/]],
    ['@1002', 2, 2, 2, []],
    ['@5000', 10, 3, 4, []],
    ['earliest', 2, 1, 1, [/earliest, lies before where these stand.*u\[0\] at 1, not 0, t\[0\] at 2, not 0/]],
    ['checkpoint', 2, 1, 1, []],
  ])('%s', async (to, p0, p1, u, notices) => {
    const fixture = await filled()
    const checkpoint = fixture.checkpoint({ 't/0': 2, 't/1': 1, 'u/0': 1 })
    const { plan } = await planOn(fixture, { checkpoint, to, sources: sources('t', '*u') })
    expect(rangesOf(plan)).toEqual({ 'u/0': [1, u], 't/0': [2, p0], 't/1': [1, p1] })
    expect(plan.notices).toEqual(notices.map((notice) => expect.stringMatching(notice)))
  })

  it('below every checkpoint leaves nothing to do', async () => {
    const fixture = await filled()
    const checkpoint = fixture.checkpoint({ 't/0': 2, 't/1': 1 })
    const { plan, nothingToDo } = await planOn(fixture, { checkpoint, to: '1' })
    expect(rangesOf(plan)).toEqual({ 't/0': [2, 2], 't/1': [1, 1] })
    expect(nothingToDo).toBe(true)
    expect(plan.notices).toHaveLength(1)
  })

  it('before the start of a first run leaves the partition at its start', async () => {
    const { plan } = await planOn(await filled(), { start: 'latest', to: '@1001' })
    expect(rangesOf(plan)).toEqual({ 't/0': [10, 10], 't/1': [3, 3] })
    expect(plan.notices).toEqual([expect.stringMatching(/they stay: t\[0\] at 10, not 1, t\[1\] at 3, not 1/)])
  })

  it.each<[to: string, message: RegExp]>([
    ['t/0=7,t/1=3', /--to leaves out u\/0/],
    ['t/0=7', /--to leaves out u\/0, t\/1/],
    ['x/0=7', /--to names x\/0/],
    ['then', /--to "then" is not a bound/],
  ])('refuses %s', async (to, message) => {
    const error = await thrown(async () => planOn(await filled(), { to, sources: sources('t', '*u') }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(message)
  })

  it('at the checkpoint needs one', async () => {
    const error = await thrown(async () => planOn(await filled(), { to: 'checkpoint' }))
    expect(error.message).toMatch(/--to checkpoint: the job has no checkpoint yet/)
  })
})

describe('the end of a range', () => {
  it.each<[from: string, to: string, p0: readonly number[], p1: readonly number[], u: number, whole: boolean]>([
    ['1', '3', [1, 3], [1, 3], 4, true],
    ['1', '+1', [1, 2], [1, 2], 4, true],
    ['1', 't/0=9,t/1=2', [1, 9], [1, 2], 4, true],
    ['1', 't/0=9,t/1=2,u/0=3', [1, 9], [1, 2], 3, false],
    ['1', '@1002', [1, 2], [1, 2], 2, false],
    ['@1001', '@1003', [1, 3], [1, 3], 3, false],
    ['1', 'latest', [1, 10], [1, 3], 4, false],
  ])('from %s to %s, where a table is not cut by counting streams', async (from, to, p0, p1, u, whole) => {
    const { plan } = await rangeOn(await filled(), from, to, { sources: sources('t', '*u') })
    expect(rangesOf(plan)).toEqual({ 'u/0': [0, u], 't/0': p0, 't/1': p1 })
    expect(plan.notices.some((notice) => notice.includes('table u is read to its end'))).toBe(whole)
  })

  it.each<[from: string, to: string, message: RegExp]>([
    ['5', '2', /--from 5 --to 2 is reversed/],
    ['2013-01-02', '2013-01-01', /is later than 2013-01-01T00:00:00Z/],
    ['-1h', '-6h', /is reversed/],
    ['t/0=5,t/1=0', 't/0=4,t/1=0', /t\[0\] starts at 5 and ends at 4/],
    ['500', 'latest', /t\[0\] ends at 10, a start past the end/],
    ['5', '500', /t\[1\] ends at 3, a start past the end/],
    ['latest', '@1001', /reversed in t\[0\]: from 10 to 1/],
    ['3', '@1001', /reversed in t\[0\]: from 3 to 1/],
    ['latest', 'earliest', /reversed in t\[0\]: from 10 to 0/],
  ])('from %s to %s is refused before anything is read', async (from, to, message) => {
    const error = await thrown(async () => rangeOn(await filled(), from, to))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(message)
  })

  it('may be empty', async () => {
    const { plan, nothingToDo } = await rangeOn(await filled(), '2', '2')
    expect(rangesOf(plan)).toEqual({ 't/0': [2, 2], 't/1': [2, 2] })
    expect(nothingToDo).toBe(false)
  })
})

describe('what open transactions hold back', () => {
  /** High watermark 8, last stable offset 5. */
  async function held(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(5))
    fixture.transaction('t/0', [2000, 2001])
    await fixture.append('t/0', [3000])
    return fixture
  }

  it.each<
    [to: string, isolation: 'read_committed' | 'read_uncommitted', end: number, heldBack: number, notices: number]
  >([
    ['latest', 'read_committed', 5, 3, 1],
    ['latest', 'read_uncommitted', 8, 0, 0],
    ['4', 'read_committed', 4, 0, 0],
    ['7', 'read_committed', 5, 2, 1],
    ['100', 'read_committed', 5, 3, 2],
    ['@1003', 'read_committed', 3, 0, 0],
    ['@2000', 'read_committed', 5, 3, 1],
    ['@2000', 'read_uncommitted', 5, 0, 0],
  ])('to %s under %s', async (to, isolation, end, heldBack, notices) => {
    const { plan } = await planOn(await held(), { to, isolation })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, end] })
    expect(plan.heldBack).toBe(heldBack)
    expect(plan.notices).toHaveLength(notices)
    if (heldBack > 0) expect(plan.notices.at(-1)).toBe(`${heldBack} held back by open transactions: t[0] ${heldBack}`)
  })

  it('is not lost, and is read once it is committed', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(5))
    const transaction = fixture.transaction('t/0', [2000])
    const checkpoint = fixture.checkpoint({ 't/0': 5 })
    const { plan, nothingToDo } = await planOn(fixture, { checkpoint })
    expect([rangesOf(plan)['t/0'], plan.heldBack, nothingToDo]).toEqual([[5, 5], 1, true])
    transaction.commit()
    expect(rangesOf((await planOn(fixture, { checkpoint })).plan)).toEqual({ 't/0': [5, 7] })
  })

  it('may lie before a start, which then waits for it', async () => {
    const range = await rangeOn(await held(), '6', 'latest')
    expect(rangesOf(range.plan)).toEqual({ 't/0': [6, 6] })
    expect(range.plan.heldBack).toBe(2)
    expect(rangesOf((await planOn(await held(), { start: 'latest' })).plan)).toEqual({ 't/0': [5, 5] })
  })

  it('leaves a checkpoint that uncommitted reading has moved on where it is', async () => {
    const fixture = await held()
    const { plan } = await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 7 }) })
    expect(rangesOf(plan)).toEqual({ 't/0': [7, 7] })
    expect(plan.heldBack).toBe(1)
  })
})

describe('advancing time', () => {
  it('goes to the time that bounds the range', async () => {
    const { plan } = await planOn(await filled(), { to: '@1002', advanceTime: true })
    expect(plan.advanceTo).toBe(1002)
    expect((await planOn(await filled(), { to: '@1002' })).plan.advanceTo).toBeNull()
    expect((await planOn(await filled(), { to: '-0s', advanceTime: true })).plan.advanceTo).toBe(NOW)
  })

  it.each<[to: string, message: RegExp]>([
    ['latest', /needs an end that is a time/],
    ['5', /needs an end that is a time/],
    ['+5', /needs an end that is a time/],
    [`@${NOW + 1}`, /that is later than now, 2013-06-01T00:00:00Z/],
  ])('to %s is refused', async (to, message) => {
    const error = await thrown(async () => planOn(await filled(), { to, advanceTime: true }))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(message)
  })
})
