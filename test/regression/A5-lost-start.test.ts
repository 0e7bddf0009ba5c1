import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { planOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'

describe('A5: the start offset no longer exists', () => {
  async function expired() {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    await fixture.append('t/0', times(200), 10)
    await fixture.append('t/1', times(12))
    await fixture.trim('t/0', 150)
    return { fixture, checkpoint: fixture.checkpoint({ 't/0': 100, 't/1': 10 }) }
  }

  it('stops with topic, partition, wanted, available and count', async () => {
    const { fixture, checkpoint } = await expired()
    const error = await thrown(() => planOn(fixture, { checkpoint }))
    expect(error.exit).toBe(66)
    expect(error.message).toBe('t[0]: offset 100 is wanted, the log starts at 150, 50 offsets are lost')
  })

  it('goes on from what is there under skip, and shows the gap', async () => {
    const { fixture, checkpoint } = await expired()
    const { plan } = await planOn(fixture, { checkpoint, onDataLoss: 'skip' })
    expect(rangesOf(plan)).toEqual({ 't/0': [150, 200], 't/1': [10, 12] })
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 100, to: 150 }])
  })
})
