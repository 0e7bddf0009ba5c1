import { expect, it } from 'vitest'
import { hourly, scheduled } from './scheduled.ts'
import { DONE, ScheduleWorld } from './support/schedule-world.ts'

it('slots that were missed while no scheduler was there have one run, and rows that say so', async () => {
  const world = new ScheduleWorld('08:30')
  const first = world.start(hourly())
  await world.until('10:30')
  first.kill()
  await world.until('14:10')
  world.start(hourly())
  await world.until('15:30')
  expect(world.launched).toEqual(['09:00 schedule', '10:00 schedule', '14:10 catch-up', '15:00 schedule'])
  expect(world.slots()).toEqual([
    '09:00 scheduled covered run-1',
    '10:00 scheduled covered run-2',
    ...['11:00', '12:00', '13:00', '14:00'].map((time) => `${time} missed covered run-3`),
    '15:00 scheduled covered run-4',
  ])
})

it('missed slots are left to the next slot where the job says skip', async () => {
  const world = new ScheduleWorld('08:30')
  const job = scheduled({ schedule: '0 * * * *', missed: 'skip' })
  world.start(job).kill()
  await world.until('10:10')
  world.start(job)
  await world.until('10:59')
  expect(world.slots()).toEqual(['09:00 missed skipped -', '10:00 missed skipped -'])
  await world.until('11:00')
  expect(world.launched).toEqual(['11:00 schedule'])
  expect(world.slots().map((slot) => slot.slice(-5))).toEqual(['run-1', 'run-1', 'run-1'])
})

it('a slot whose run nobody saw the end of is due again at the next start', async () => {
  const world = new ScheduleWorld('08:30', {}, DONE())
  const first = world.start(hourly())
  await world.until('09:10')
  expect(world.slots()).toEqual(['09:00 scheduled due -'])
  first.kill()
  world.start(hourly())
  await world.until('09:11')
  expect(world.launched).toEqual(['09:00 schedule', '09:10 schedule'])
  expect(world.slots()).toEqual(['09:00 scheduled covered run-2'])
})

it('but not where it is later than the job allows', async () => {
  const world = new ScheduleWorld('08:30', {}, DONE())
  const job = scheduled({ schedule: '0 * * * *', missed: { within: '20m' } })
  world.start(job)
  await world.until('09:10')
  world.locks.crash()
  world.alarms.clear()
  await world.until('09:30')
  world.start(job)
  await world.until('09:59')
  expect(world.launched).toEqual(['09:00 schedule'])
  expect(world.slots()).toEqual(['09:00 scheduled skipped -'])
})

it('a run that only finished what an earlier one had begun covers no slot since; another one follows', async () => {
  const startedAt = '2025-06-02T09:00:01.000Z'
  const resumed = { takes: 0, end: { report: { attempt: 2, startedAt } } }
  const world = new ScheduleWorld('08:30', {}, resumed, DONE())
  const first = world.start(hourly())
  await world.until('09:10')
  first.kill()
  await world.until('11:10')
  world.start(hourly())
  await world.until('11:20')
  expect(world.launched).toEqual(['09:00 schedule', '11:10 schedule', '11:10 catch-up'])
  expect(world.slots()).toEqual([
    '09:00 scheduled covered run-2',
    '10:00 missed covered run-3',
    '11:00 missed covered run-3',
  ])
})

it('a clock that is set back makes no slot twice, and it is told', async () => {
  const world = new ScheduleWorld('08:30')
  const first = world.start(hourly())
  await world.until('12:30')
  expect(world.launched).toHaveLength(4)
  world.clock.set(Date.parse('2025-06-02T10:30Z'))
  await world.until('12:59')
  first.kill()
  world.clock.set(Date.parse('2025-06-02T11:30Z'))
  world.start(hourly())
  await world.until('12:59')
  expect(world.launched).toHaveLength(4)
  expect(world.told('clock-behind')).toMatchObject([{ decidedTo: Date.parse('2025-06-02T12:00Z') + 1 }])
  await world.until('13:00')
  expect(world.launched.slice(4)).toEqual(['13:00 schedule'])
})

it('a run that goes until its slot waits for it to settle, and one for many goes until the last of them', async () => {
  const world = new ScheduleWorld('08:30')
  const job = scheduled({ schedule: '0 * * * *', until: 'slot', advanceTime: true })
  const first = world.start(job)
  await world.until('09:10')
  first.kill()
  await world.until('12:04')
  world.start(job)
  await world.until('12:10')
  expect(world.launched).toEqual([
    '09:05 schedule until 09:00 advancing',
    '12:04 catch-up until 11:00 advancing',
    '12:05 schedule until 12:00 advancing',
  ])
  expect(world.slots()).toEqual([
    '09:00 scheduled covered run-1',
    '10:00 missed covered run-2',
    '11:00 missed covered run-2',
    '12:00 scheduled covered run-3',
  ])
})

it('slots skipped after the one that a run goes until are not covered by it', async () => {
  const world = new ScheduleWorld('08:30', DONE(80))
  world.start(scheduled({ schedule: '0 * * * *', until: 'slot', settle: 0 }))
  await world.until('10:30')
  expect(world.slots()).toEqual(['09:00 scheduled covered run-1', '10:00 overlap skipped -'])
  await world.until('11:00')
  expect(world.launched).toEqual(['09:00 schedule until 09:00', '11:00 schedule until 11:00'])
  expect(world.slots().slice(1)).toEqual(['10:00 overlap covered run-2', '11:00 scheduled covered run-2'])
})
