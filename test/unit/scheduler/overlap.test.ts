import { expect, it } from 'vitest'
import { iso, scheduled } from './scheduled.ts'
import { DONE, ScheduleWorld } from './support/schedule-world.ts'

const HALF_HOURLY = { schedule: '*/30 * * * *' }

it('a slot that comes while a run is under way is skipped, and the next run covers it', async () => {
  const world = new ScheduleWorld('09:45', DONE(70))
  world.start(scheduled(HALF_HOURLY))
  await world.until('11:00')
  expect(world.slots()).toEqual(['10:00 scheduled due -', '10:30 overlap skipped -', '11:00 overlap skipped -'])
  await world.until('11:29')
  expect(world.launched).toEqual(['10:00 schedule'])
  // The end of the first run's range was where the log ended at 10:00.
  expect(world.slots()[1]).toBe('10:30 overlap skipped -')
  await world.until('11:30')
  expect(world.slots()).toEqual([
    '10:00 scheduled covered run-1',
    '10:30 overlap covered run-2',
    '11:00 overlap covered run-2',
    '11:30 scheduled covered run-2',
  ])
})

it('slots that come while a run is under way are queued: one run for all of them, at its end', async () => {
  const world = new ScheduleWorld('09:45', DONE(70))
  world.start(scheduled({ ...HALF_HOURLY, overlap: 'queue' }))
  await world.until('11:09')
  expect(world.launched).toEqual(['10:00 schedule'])
  await world.until('11:10')
  expect(world.launched).toEqual(['10:00 schedule', '11:10 catch-up'])
  expect(world.slots()).toEqual([
    '10:00 scheduled covered run-1',
    '10:30 overlap covered run-2',
    '11:00 overlap covered run-2',
  ])
})

it('a slot that comes while a run is under way stops it at the end of its slice, and has its own run', async () => {
  const world = new ScheduleWorld('09:45', { stopsIn: 30_000 })
  world.start(scheduled({ ...HALF_HOURLY, overlap: 'cancel' }))
  await world.until('10:30:29')
  expect(world.launched).toEqual(['10:00 schedule'])
  await world.until('10:31')
  expect(world.launched).toEqual(['10:00 schedule', '10:30:30 schedule'])
  expect(world.slots()).toEqual(['10:00 scheduled covered run-2', '10:30 overlap covered run-2'])
})

it('a run that does not stop for a newer slot is killed after a minute', async () => {
  const world = new ScheduleWorld('09:45', { stopsIn: null })
  world.start(scheduled({ ...HALF_HOURLY, overlap: 'cancel' }))
  await world.until('10:35')
  expect(world.launched).toEqual(['10:00 schedule', '10:31 schedule'])
})

it('no more runs than allowed are under way at once, and the one that waits longest is next', async () => {
  const world = new ScheduleWorld('09:45').usually(DONE(5))
  const job = scheduled({ schedule: '0 * * * *' })
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ ...job, name, command: name }))
  world.start(jobs, { maxRuns: 2 })
  await world.until('10:20')
  expect(world.mostAtOnce).toBe(2)
  expect(world.orders.map((order) => order.job).join('')).toBe('abcde')
  expect(world.launched.map((each) => each.slice(0, 5))).toEqual(['10:00', '10:00', '10:05', '10:05', '10:10'])
  expect(jobs.map(({ name }) => world.slots(name))).toEqual(
    [1, 2, 3, 4, 5].map((run) => [`10:00 scheduled covered run-${run}`]),
  )
})

it('a slot that comes while its job waits for others is covered by the run that it waits for', async () => {
  const world = new ScheduleWorld('09:45', DONE(), DONE(35))
  const long = { ...scheduled({ schedule: '0 * * * *' }), name: 'long', command: 'long' }
  world.start([long, scheduled({ schedule: '*/10 * * * *' })], { maxRuns: 1 })
  await world.until('10:39')
  expect(world.launched).toEqual(['09:50 schedule', '10:00 schedule', '10:35 schedule'])
  expect(world.slots()).toEqual([
    '09:50 scheduled covered run-1',
    ...['10:00', '10:10', '10:20', '10:30'].map((time) => `${time} scheduled covered run-3`),
  ])
})

it('while nothing is due, nobody is woken', async () => {
  const world = new ScheduleWorld('12:00')
  world.clock.set(Date.parse('2025-04-29T12:00Z'))
  world.start(scheduled({ schedule: '0 9 1 3 *', timezone: 'Europe/Berlin' }))
  await world.alarms.advanceTo(Date.parse('2026-03-01T07:59:59Z'))
  expect({ woken: world.alarms.rung, launched: world.launched }).toEqual({ woken: 0, launched: [] })
  await world.alarms.advanceTo(Date.parse('2026-03-01T08:00Z'))
  expect(world.rows().map(({ slot, state }) => `${iso(slot)} ${state}`)).toEqual(['2026-03-01T08:00 covered'])
})
