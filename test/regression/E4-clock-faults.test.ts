import { expect, it } from 'vitest'
import { slotsBetween } from '../../src/scheduler/slots-between.ts'
import { cronExpression } from '../../src/topology/cron/cron-expression.ts'
import { scheduled } from '../unit/scheduler/scheduled.ts'
import { ScheduleWorld } from '../unit/scheduler/support/schedule-world.ts'

function berlin(expression: string, from: string, to: string): readonly string[] {
  const found = slotsBetween(cronExpression(expression), 'Europe/Berlin', Date.parse(from), Date.parse(to))
  return [...found].map((slot) => new Date(slot).toISOString().slice(0, 16))
}

it('a time of day that is shown twice has one run, at the first', () => {
  expect(berlin('30 2 * * *', '2025-10-25T22:00Z', '2025-10-26T23:00Z')).toEqual(['2025-10-26T00:30'])
})

it('a time of day that is left out has one run, when the clock has gone past it', () => {
  expect(berlin('30 2 * * *', '2025-03-29T23:00Z', '2025-03-30T22:00Z')).toEqual(['2025-03-30T01:00'])
})

it('an interval goes on in real time: seven hours are between two of its runs that night', () => {
  expect(berlin('0 */6 * * *', '2025-10-25T22:00Z', '2025-10-26T23:01Z')).toEqual([
    '2025-10-25T22:00',
    '2025-10-26T05:00',
    '2025-10-26T11:00',
    '2025-10-26T17:00',
    '2025-10-26T23:00',
  ])
})

it('a slot that is ten months off is slept for: nobody is woken before', async () => {
  const world = new ScheduleWorld('12:00')
  world.clock.set(Date.parse('2025-04-29T12:00Z'))
  world.start(scheduled({ schedule: '0 9 1 3 *' }))
  await world.alarms.advanceTo(Date.parse('2026-03-01T08:59:59Z'))
  expect({ woken: world.alarms.rung, launched: world.launched }).toEqual({ woken: 0, launched: [] })
  await world.alarms.advanceTo(Date.parse('2026-03-01T09:00Z'))
  expect(world.launched).toHaveLength(1)
})

it('a clock that goes back makes no slot twice', async () => {
  const world = new ScheduleWorld('08:30')
  world.start(scheduled({ schedule: '0 * * * *' }))
  await world.until('10:30')
  world.clock.set(Date.parse('2025-06-02T08:30Z'))
  await world.until('10:30')
  expect(world.launched).toEqual(['09:00 schedule', '10:00 schedule'])
})
