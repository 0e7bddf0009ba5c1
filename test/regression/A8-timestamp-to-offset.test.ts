import { describe, expect, it } from 'vitest'
import { describePlan } from '../../src/planner/describe-plan.ts'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { BusyLog } from '../unit/planner/odd-logs.ts'
import { checkpointAfter, planOn, rangeOn, rangesOf } from '../unit/planner/requests.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'
import { withLog } from './support/odd-log.ts'

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

describe.each(['memory', 'embedded'])('A8 in a run (%s)', (world) => {
  async function three(): Promise<Field> {
    const field = new Field(world)
    await field.topic('in', 3)
    await field.write('in', 'p0/0 a @1000', 'p0/1 a @2000', 'p0/2 a @3000', 'p2/0 b @500')
    return field
  }

  it('a range of time is read as the offsets that it was resolved to', async () => {
    const field = await three()
    const { partitions } = await field.run(counting(), { from: '@1500', to: '@2500', as: 'slot' })
    expect(partitions.map(({ from, to, records }) => [from, to, records])).toEqual([
      [1, 2, 1],
      [0, 0, 0],
      [1, 1, 0],
    ])
    expect(field.checkpoint(counting(), 'slot')).toEqual({ 'in/0': 2, 'in/1': 0, 'in/2': 1 })
    expect(field.store(counting(), 'counts', 'slot')).toEqual(['a=1'])
  })

  it('what comes between the two look-ups is read by the next run, once', async () => {
    const field = await three()
    const meanwhile = withLog((log) => ({
      offsetsForTime: async (queries) => {
        if ((await field.out('in')).length === 4) await field.write('in', 'p2/1 b @2400')
        return log.offsetsForTime(queries)
      },
    }))
    await field.run(counting(), { to: '@2500' }, meanwhile)
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 2, 'in/1': 0, 'in/2': 1 })
    expect((await field.run(counting())).records).toBe(2)
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 3, 'in/1': 0, 'in/2': 2 })
    expect(field.store(counting(), 'counts')).toEqual(['a=3', 'b=2'])
  })
})
