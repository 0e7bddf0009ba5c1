import { expect, it } from 'vitest'
import { at, hourly, scheduled } from './scheduled.ts'
import { failed, ScheduleWorld } from './support/schedule-world.ts'

it('a paused job makes no runs; the first one after covers what the pause left', async () => {
  const world = new ScheduleWorld('08:30')
  world.start(hourly())
  await world.until('09:30')
  const { schedule } = world.state.jobFile('copies')
  schedule.pause(at('09:30'), 'the broker moves')
  await world.until('11:30')
  expect(world.launched).toEqual(['09:00 schedule'])
  expect(world.slots().slice(1)).toEqual(['10:00 paused skipped -', '11:00 paused skipped -'])
  schedule.resume(at('11:30'))
  await world.until('12:00')
  expect(world.launched).toEqual(['09:00 schedule', '12:00 schedule'])
  expect(world.slots().map((slot) => slot.slice(-5))).toEqual(['run-1', 'run-2', 'run-2', 'run-2'])
})

it('a pause that comes while a run waits to be tried again holds it back', async () => {
  const world = new ScheduleWorld('08:30', failed(69))
  world.start(scheduled({ schedule: '0 * * * *', retry: { backoff: '20m', maxBackoff: '20m' } }))
  await world.until('09:10')
  world.state.jobFile('copies').schedule.pause(at('09:10'), 'no')
  await world.until('09:59')
  expect(world.launched).toEqual(['09:00 schedule'])
  expect(world.slots()).toEqual(['09:00 scheduled skipped -'])
})

it('failed runs in a row pause the job, with the reason, until it is resumed', async () => {
  const world = new ScheduleWorld('08:30', failed(65), failed(70, 'USER_CODE_FAILED')).usually(failed(65))
  world.start(scheduled({ schedule: '0 * * * *', pauseAfter: 2 }))
  await world.until('12:30')
  const reason = '2 runs in a row failed, the last one: USER_CODE_FAILED: it is USER_CODE_FAILED'
  expect(world.told('paused')).toEqual([{ kind: 'paused', job: 'copies', reason }])
  const { schedule } = world.state.jobFile('copies')
  expect(schedule.read()).toMatchObject({ failures: 2, pause: { since: at('10:00'), reason, until: null } })
  expect(world.launched).toEqual(['09:00 schedule', '10:00 schedule'])
  schedule.resume(at('12:30'))
  await world.until('13:30')
  expect(world.launched.at(-1)).toBe('13:00 schedule')
  expect(schedule.read().failures).toBe(1)
})

it('a run that is done forgets the failures before it', async () => {
  const world = new ScheduleWorld('08:30', failed(65), failed(65), { takes: 0 }, failed(65), failed(65))
  world.start(scheduled({ schedule: '0 * * * *', pauseAfter: 3 }))
  await world.until('14:30')
  expect(world.told('paused')).toEqual([])
  expect(world.launched).toHaveLength(6)
})
