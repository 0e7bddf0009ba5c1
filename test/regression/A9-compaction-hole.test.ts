import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { planOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'

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
