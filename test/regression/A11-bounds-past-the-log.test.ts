import { describe, expect, it } from 'vitest'
import { LogFixture } from '../unit/planner/log-fixture.ts'
import { WatchedLog } from '../unit/planner/odd-logs.ts'
import { checkpointAfter, planOn, rangeOn, rangesOf, times } from '../unit/planner/requests.ts'
import { thrown } from '../unit/planner/thrown.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

describe('A11: the asked end is beyond the log, or the range is empty or reversed', () => {
  async function two(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t', 3)
    await fixture.append('t/0', times(2))
    return fixture
  }

  it('cuts the end to what is there, with a notice, and later records are read later', async () => {
    const fixture = await two()
    const { plan } = await planOn(fixture, { to: '100' })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 2], 't/1': [0, 0], 't/2': [0, 0] })
    expect(plan.notices).toEqual([
      'the end asked, 100, lies past the log and is cut: t[0] ends at 2, t[1] ends at 0, t[2] ends at 0',
    ])
    await fixture.append('t/1', times(5))
    const next = await planOn(fixture, { checkpoint: checkpointAfter(fixture, plan) })
    expect(rangesOf(next.plan)).toEqual({ 't/0': [2, 2], 't/1': [0, 5], 't/2': [0, 0] })
  })

  it.each([
    ['5', '2'],
    ['500', 'latest'],
    ['500', '600'],
    ['@5000', '@4000'],
  ])('refuses --from %s --to %s before anything is read', async (from, to) => {
    const { cluster } = await two()
    const log = new WatchedLog(cluster)
    const error = await thrown(async () => rangeOn(await two(), from, to, { log }))
    expect(error.code).toBe('USAGE')
    expect(error.exit).toBe(64)
    expect(log.opened).toEqual([])
  })
})

describe.each(['memory', 'embedded'])('A11 in a run (%s)', (world) => {
  async function two(): Promise<Field> {
    const field = new Field(world)
    await field.topic('in', 3)
    await field.write('in', 'p0/0 a', 'p0/1 a')
    return field
  }

  it('ends at what is there, and the next run goes on from there', async () => {
    const field = await two()
    expect((await field.run(counting(), { to: '100' })).records).toBe(2)
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 2, 'in/1': 0, 'in/2': 0 })
    await field.write('in', 'p1/0 b', 'p1/1 b', 'p1/2 b', 'p1/3 b', 'p1/4 b')
    expect((await field.run(counting())).records).toBe(5)
    expect(field.store(counting(), 'counts')).toEqual(['a=2', 'b=5'])
  })

  it.each([{ from: '5', to: '2' }, { from: '500' }])(
    'is a usage error that leaves nothing behind: %j',
    async (bounds) => {
      const field = await two()
      expect(await field.fail(counting(), bounds)).toMatchObject({ code: 'USAGE', exit: 64 })
      expect(field.env.state.generations('counting')).toEqual([])
      expect((await field.log.describe()).map(({ name }) => name)).toEqual(['in'])
    },
  )
})
