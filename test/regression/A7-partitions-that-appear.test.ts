import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { checkpointAfter, planOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'

describe('A7: partitions that appear, or were empty, between runs', () => {
  /** A job that starts at `latest` has run once over a full and an empty partition; then one gets a record, two appear. */
  async function grown() {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    await fixture.append('t/0', times(5))
    const first = await planOn(fixture, { start: 'latest' })
    await fixture.append('t/1', [2000])
    await fixture.log.admin().alter('t', { partitions: 4 })
    await fixture.append('t/2', times(3))
    await fixture.append('t/3', times(4))
    await fixture.trim('t/3', 2)
    return { fixture, checkpoint: checkpointAfter(fixture, first.plan) }
  }

  it('every partition of the first run has an offset, the empty one too', async () => {
    expect((await grown()).checkpoint.offsets).toEqual({ 't/0': 5, 't/1': 0 })
  })

  it('what appears later starts at 0, never at latest, and what it has lost by then is a loss', async () => {
    const { fixture, checkpoint } = await grown()
    const error = await thrown(() => planOn(fixture, { start: 'latest', checkpoint }))
    expect(error.exit).toBe(66)
    expect(error.message).toBe('t[3]: offset 0 is wanted, the log starts at 2, 2 offsets are lost')
    const { plan } = await planOn(fixture, { start: 'latest', checkpoint, onDataLoss: 'skip' })
    expect(rangesOf(plan)).toEqual({ 't/0': [5, 5], 't/1': [0, 1], 't/2': [0, 3], 't/3': [2, 4] })
    expect(plan.gaps).toEqual([{ topic: 't', partition: 3, from: 0, to: 2 }])
  })
})
