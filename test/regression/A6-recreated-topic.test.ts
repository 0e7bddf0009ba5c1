import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { WatchedLog } from '../unit/planner/odd-logs.ts'
import { planOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'

describe('A6: a topic is deleted and made again', () => {
  async function recreated(end: number) {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(500), 100)
    const checkpoint = fixture.checkpoint({ 't/0': 500 })
    await fixture.recreate('t')
    await fixture.append('t/0', times(end, 9000), 100)
    return { fixture, checkpoint, log: new WatchedLog(fixture.cluster) }
  }

  it.each([
    [300, /topic identity changed.*log shorter than checkpoint: t\[0\] ends at 300, not 500/],
    [800, /topic identity changed/],
  ])('with %d records: the run stops, and nothing is read, not even for a time', async (end, message) => {
    const { fixture, checkpoint, log } = await recreated(end)
    for (const to of ['latest', '@9100']) {
      const error = await thrown(() => planOn(fixture, { checkpoint, to, log, onDataLoss: 'skip' }))
      expect(error.exit).toBe(66)
      expect(error.message).toMatch(message)
    }
    expect(log.opened).toEqual([])
  })

  it('is read from its beginning when it is accepted by name', async () => {
    const { fixture, checkpoint } = await recreated(800)
    const { plan } = await planOn(fixture, { checkpoint, acceptTopics: ['t'] })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 800] })
  })
})
