import { describe, expect, it } from 'vitest'
import { canCarryOn, type UnfinishedRequest } from '../../../src/planner/unfinished-plan.ts'
import { LogFixture } from './log-fixture.ts'
import { planOn, times } from './requests.ts'
import { thrown } from './thrown.ts'

/** A plan of `t/0` [0, 10) that got to 6, and of `t/1` [0, 2) that is done. */
async function interrupted() {
  const fixture = new LogFixture()
  await fixture.create('t', 2)
  await fixture.append('t/0', times(10), 1)
  await fixture.append('t/1', times(2))
  const { plan } = await planOn(fixture)
  const request: UnfinishedRequest = {
    plan,
    checkpoint: fixture.checkpoint({ 't/0': 6, 't/1': 2 }),
    onDataLoss: 'fail',
    acceptTopics: [],
    log: fixture.log,
  }
  return { fixture, request }
}

describe('an unfinished plan', () => {
  it('is carried on where the log still has what it needs, whatever else is gone', async () => {
    const { fixture, request } = await interrupted()
    await fixture.append('t/0', [5000])
    await fixture.trim('t/0', 6)
    await fixture.append('t/1', times(3), 1)
    await fixture.trim('t/1', 4)
    expect(await canCarryOn(request)).toBe(true)
  })

  it.each<[what: string, damage: (fixture: LogFixture) => unknown, code: string, message: RegExp]>([
    [
      'its next record is gone',
      (fixture) => fixture.trim('t/0', 8),
      'INPUT_LOST',
      /offset 6 is wanted, the log starts at 8/,
    ],
    [
      'the log falls back below its end',
      (fixture) => fixture.cluster.truncate({ topic: 't', partition: 0 }, 8),
      'INPUT_LOST',
      /log shorter than the plan that is to be finished: t\[0\] ends at 8, not 10/,
    ],
    [
      'the log falls back below the checkpoint',
      (fixture) => fixture.cluster.truncate({ topic: 't', partition: 0 }, 4),
      'INPUT_LOST',
      /log shorter than checkpoint/,
    ],
    ['its topic was made again', (fixture) => fixture.recreate('t', 2), 'INPUT_REPLACED', /topic identity changed/],
    ['its topic is gone', (fixture) => fixture.log.admin().delete('t'), 'INPUT_MISSING', /topic t does not exist/],
  ])('fails where %s', async (_, damage, code, message) => {
    const { fixture, request } = await interrupted()
    await damage(fixture)
    const error = await thrown(() => canCarryOn(request))
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
    expect(error.at?.job).toBe('job')
  })

  it.each<[what: string, damage: (fixture: LogFixture) => unknown, change: Partial<UnfinishedRequest>]>([
    ['what it needs is skipped as lost', (fixture) => fixture.trim('t/0', 8), { onDataLoss: 'skip' }],
    [
      'what lies before its end is skipped as lost',
      (fixture) => fixture.cluster.truncate({ topic: 't', partition: 0 }, 8),
      { onDataLoss: 'skip' },
    ],
    ['its topic is accepted anew', (fixture) => fixture.recreate('t', 2), { acceptTopics: ['t'] }],
  ])('is dropped where %s', async (_, damage, change) => {
    const { fixture, request } = await interrupted()
    await damage(fixture)
    expect(await canCarryOn({ ...request, ...change })).toBe(false)
  })

  it('is carried on where a topic is accepted that it does not read, or that is the same', async () => {
    const { request } = await interrupted()
    expect(await canCarryOn({ ...request, acceptTopics: ['t', 'added-to-the-job'] })).toBe(true)
  })
})
