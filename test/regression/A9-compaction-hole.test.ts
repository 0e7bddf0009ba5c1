import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { planOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

describe('A9: a compaction hole at the start', () => {
  it('is no loss: the range is compared with the log start, not with the first record', async () => {
    const fixture = new LogFixture()
    await fixture.create('t', 1, { 'cleanup.policy': 'compact' })
    fixture.cluster.skip({ topic: 't', partition: 0 }, 7)
    await fixture.append('t/0', times(3))
    const { plan } = await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 0 }) })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 10] })
    expect(plan.gaps).toEqual([])
    expect(plan.notices).toEqual([])
  })

  it('is not taken for a trimmed log, which is one', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(10), 1)
    await fixture.trim('t/0', 7)
    const error = await thrown(() => planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 0 }) }))
    expect(error.code).toBe('INPUT_LOST')
    expect(error.message).toContain('7 offsets are lost')
  })
})

describe.each(['memory', 'embedded'])('A9 in a run (%s)', (world) => {
  const old = Array.from({ length: 7 }, () => 'p0 a')
  const readable = ['p0/7 a', 'p0/8 b', 'p0/9 c']

  it('passes the hole and ends behind the last record', async () => {
    const field = new Field(world)
    await field.topic('in', 1, { 'cleanup.policy': 'compact' })
    await field.write('in', ...old, ...readable)
    await field.log.admin().compact('in')
    const run = await field.run(counting())
    expect(run).toMatchObject({ records: 3, notices: [] })
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 10 })
    expect(field.store(counting(), 'counts')).toEqual(['a=1', 'b=1', 'c=1'])
    expect((await field.run(counting())).records).toBe(0)
  })

  it('stops where the log was trimmed, with the checkpoint as it was, until the loss is accepted', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.run(counting())
    await field.write('in', ...old, ...readable)
    await field.log.admin().trim({ topic: 'in', partition: 0 }, 7)
    const error = await field.fail(counting())
    expect(error).toMatchObject({ code: 'INPUT_LOST', exit: 66 })
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 0 })
    expect((await field.run(counting(), { onDataLoss: 'skip' })).records).toBe(3)
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 10 })
    const gap = { kind: 'gap', detail: { topic: 'in', partition: 0, from: 0, to: 7 } }
    expect(field.events(counting())).toContainEqual(gap)
  })
})
