import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { VagueLog } from '../unit/planner/odd-logs.ts'
import { planOn, rangesOf } from '../unit/planner/requests.ts'

describe('A16: a time bound on a topic written in transactions', () => {
  /** Each record in a transaction of its own, so that markers stand between them. */
  async function transactional(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    for (const time of [1000, 2000, 3000]) fixture.transaction('t/0', [time]).commit()
    return fixture
  }

  it.each([
    [1500, 2],
    [2500, 4],
    [3500, 6],
  ])('@%d is a record, not a marker', async (time, to) => {
    const fixture = await transactional()
    for (const log of [fixture.log, new VagueLog(fixture.cluster)]) {
      expect(rangesOf((await planOn(fixture, { to: `@${time}`, log })).plan)['t/0']).toEqual([0, to])
    }
  })

  it('does not stop at a record that was rolled back', async () => {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    await fixture.append('t/0', [5])
    fixture.transaction('t/0', [20]).abort()
    await fixture.append('t/0', [6])
    await fixture.append('t/1', [7])
    for (const log of [fixture.log, new VagueLog(fixture.cluster)]) {
      expect(rangesOf((await planOn(fixture, { to: '@10', log })).plan)).toEqual({ 't/0': [0, 4], 't/1': [0, 1] })
    }
  })
})
