import { describe, expect, it } from 'vitest'
import { describePlan } from '../../src/planner/describe-plan.ts'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { BusyLog } from '../unit/planner/odd-logs.ts'
import { checkpointAfter, planOn, rangeOn, rangesOf } from '../unit/planner/requests.ts'

describe('A8: nothing at or past the time, an empty partition, times out of order', () => {
  async function three(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t', 3)
    await fixture.append('t/0', [1000, 2000, 3000])
    await fixture.append('t/2', [500])
    return fixture
  }

  it('is the end of the partition, and never -1 or 0', async () => {
    const { plan } = await rangeOn(await three(), '@1500', '@2500')
    expect(rangesOf(plan)).toEqual({ 't/0': [1, 2], 't/1': [0, 0], 't/2': [1, 1] })
    expect(describePlan(plan).sentences.slice(1)).toEqual([
      'from 1970-01-01T00:00:01.500Z: the first record at or past 1970-01-01T00:00:01.500Z; tables from their log start',
      'to 1970-01-01T00:00:02.500Z: the first record at or past 1970-01-01T00:00:02.500Z, else the last stable offset when the plan was made',
    ])
  })

  it.each([2400, 2600])('loses no record @%d that comes between the two look-ups', async (time) => {
    const fixture = await three()
    const log = new BusyLog(fixture.cluster)
    log.meanwhile = async () => {
      await fixture.append('t/2', [time])
      log.meanwhile = async () => {}
    }
    const checkpoint = fixture.checkpoint({ 't/0': 1, 't/1': 0, 't/2': 1 })
    const first = await planOn(fixture, { checkpoint, to: '@2500', log })
    expect(rangesOf(first.plan)).toEqual({ 't/0': [1, 2], 't/1': [0, 0], 't/2': [1, 1] })
    const next = await planOn(fixture, { checkpoint: checkpointAfter(fixture, first.plan) })
    expect(rangesOf(next.plan)['t/2']).toEqual([1, 2])
  })

  it('is an offset range: a record out of order may lie outside of it', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', [1000, 3000, 1600, 2600])
    expect(rangesOf((await rangeOn(fixture, '@1500', '@2500')).plan)).toEqual({ 't/0': [1, 1] })
  })
})
