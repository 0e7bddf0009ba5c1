import { describe, expect, it } from 'vitest'
import type { SlotRow, Timetable } from '../../../src/ports/schedule-table.ts'
import { dueSlots, type SlotHistory } from '../../../src/scheduler/due-slots.ts'
import { jitter } from '../../../src/scheduler/jitter.ts'
import { MOST_ROWS } from '../../../src/scheduler/rows-of-slots.ts'
import { at, hourly, iso, scheduled } from './scheduled.ts'

const since = at('08:30')
const timetable: Timetable = { expression: '0 * * * *', timezone: 'UTC', since, decidedTo: at('09:00') + 1 }
const history = (changes: Partial<SlotHistory> = {}): SlotHistory => ({
  timetable,
  pause: null,
  running: false,
  ...changes,
})
const fates = (slots: readonly SlotRow[]) => slots.map(({ slot, cause, state }) => `${iso(slot)} ${cause} ${state}`)
const decide = (now: string, changes: Partial<SlotHistory> = {}, job = hourly()) => {
  const { slots, next } = dueSlots(history(changes), job, at(now))
  return { slots: fates(slots), next: next === null ? null : iso(next) }
}

describe('slots that are due', () => {
  it('are none before the first start, whose moment counts', () => {
    const { timetable: begun, slots, changed, next } = dueSlots(history({ timetable: null }), hourly(), at('12:00'))
    expect(begun).toEqual({ ...timetable, since: at('12:00'), decidedTo: at('12:00') })
    expect({ slots, changed, next }).toEqual({ slots: [], changed: true, next: at('12:00') })
    expect(decide('12:00', { timetable: begun })).toEqual({ slots: ['12:00 scheduled due'], next: '13:00' })
  })

  it('are none between slots, and nothing is written', () => {
    expect(dueSlots(history(), hourly(), at('09:59'))).toEqual({
      timetable,
      slots: [],
      changed: false,
      next: at('10:00'),
      nextAt: at('10:00'),
    })
  })

  it('are on time up to a minute late', () => {
    expect(decide('10:00').slots).toEqual(['10:00 scheduled due'])
    expect(decide('10:01').slots).toEqual(['10:00 scheduled due'])
    expect(decide('10:02').slots).toEqual(['10:00 missed due'])
  })

  it('have a row each where nobody was there: one run for all', () => {
    expect(decide('14:10')).toEqual({
      slots: ['10:00', '11:00', '12:00', '13:00', '14:00'].map((slot) => `${slot} missed due`),
      next: '15:00',
    })
  })

  it('are decided on once: not again where the clock goes back', () => {
    const { timetable: after } = dueSlots(history(), hourly(), at('14:10'))
    expect(after).toEqual({ ...timetable, decidedTo: at('14:00') + 1 })
    for (const now of ['14:20', '14:00', '09:30']) {
      expect(decide(now, { timetable: after })).toEqual({ slots: [], next: '15:00' })
    }
  })

  it.each([
    ['skip', ['10:00 overlap skipped']],
    ['queue', ['10:00 overlap due']],
    ['cancel', ['10:00 overlap due']],
  ] as const)('come while a run is under way: %s', (overlap, slots) => {
    expect(decide('10:00', { running: true }, scheduled({ schedule: '0 * * * *', overlap })).slots).toEqual(slots)
  })

  it('come in a pause, up to its end', () => {
    const pause = { since: at('10:30'), reason: 'no', until: null }
    expect(decide('12:00', { pause }).slots).toEqual([
      '10:00 missed due',
      '11:00 paused skipped',
      '12:00 paused skipped',
    ])
    expect(decide('13:00', { pause: { ...pause, until: at('12:00') } }).slots).toEqual([
      '10:00 missed due',
      '11:00 paused skipped',
      '12:00 missed due',
      '13:00 scheduled due',
    ])
  })

  it('are skipped where they are missed, if the job says so', () => {
    const job = scheduled({ schedule: '0 * * * *', missed: 'skip' })
    expect(decide('12:02', {}, job).slots.map((slot) => slot.slice(6))).toEqual(Array(3).fill('missed skipped'))
    expect(decide('12:01', {}, job).slots.at(-1)).toBe('12:00 scheduled due')
  })

  it('are made up for only within a limit, if the job says so', () => {
    const job = scheduled({ schedule: '0 * * * *', missed: { within: '30m' } })
    expect(decide('11:30', {}, job).slots).toEqual(['10:00 missed due', '11:00 missed due'])
    expect(decide('11:31', {}, job).slots).toEqual(['10:00 missed skipped', '11:00 missed skipped'])
  })

  it('wait to settle where a run goes until its slot', () => {
    const job = scheduled({ schedule: '0 * * * *', until: 'slot', settle: '5m' })
    expect(dueSlots(history(), job, at('10:04'))).toMatchObject({ slots: [], next: at('10:00'), nextAt: at('10:05') })
    expect(dueSlots(history(), job, at('10:05'))).toMatchObject({ next: at('11:00'), nextAt: at('11:05') })
    expect(decide('10:05', {}, job).slots).toEqual(['10:00 scheduled due'])
  })

  it('count between two dates', () => {
    const dates = { startDate: '2025-06-02T11:00Z', endDate: '2025-06-02T13:00Z' }
    const job = scheduled({ schedule: '0 * * * *', ...dates })
    expect(decide('09:30', {}, job)).toEqual({ slots: [], next: '11:00' })
    expect(decide('15:30', {}, job)).toEqual({ slots: ['11:00 missed due', '12:00 missed due'], next: null })
  })

  it('are scattered by chance, the same for each slot', () => {
    const job = scheduled({ schedule: '0 * * * *', jitter: '20m' })
    const wait = jitter(job.name, at('10:00'), 20 * 60_000)
    expect(dueSlots(history(), job, at('10:00') + wait - 1)).toMatchObject({ slots: [], nextAt: at('10:00') + wait })
    expect(dueSlots(history(), job, at('10:00') + wait).slots).toMatchObject([{ slot: at('10:00'), state: 'due' }])
  })

  it('are those of the old schedule up to the moment at which it is found to be changed', () => {
    const job = scheduled({ schedule: '*/10 * * * *' })
    const { timetable: after, slots, next } = dueSlots(history(), job, at('11:25'))
    expect(fates(slots)).toEqual(['10:00 missed due', '11:00 missed due'])
    expect(after).toEqual({ ...timetable, expression: '*/10 * * * *', decidedTo: at('11:25') + 1 })
    expect(next).toBe(at('11:30'))
  })

  it('share a row where there are very many', () => {
    const job = scheduled({ schedule: '* * * * * *' })
    const second = { ...timetable, expression: '* * * * * *' }
    const { slots } = dueSlots(history({ timetable: second }), job, at('10:00'))
    expect(slots).toHaveLength(MOST_ROWS)
    expect(slots[0]).toMatchObject({ first: at('09:00') + 1000, slot: at('10:00') - 999_000, count: 3600 - 999 })
    expect(slots.reduce((sum, { count }) => sum + count, 0)).toBe(3600)
    expect(slots.at(-1)).toMatchObject({ slot: at('10:00'), cause: 'scheduled' })
  })
})

describe('jitter', () => {
  it('is below its limit, and even', () => {
    const found = Array.from({ length: 2000 }, (_, hour) => jitter('orders', hour * 3_600_000, 1000))
    expect(Math.min(...found)).toBeLessThan(20)
    expect(Math.max(...found)).toBeGreaterThan(980)
    expect(Math.max(...found)).toBeLessThan(1000)
    const mean = found.reduce((sum, each) => sum + each, 0) / found.length
    expect(Math.abs(mean - 500)).toBeLessThan(30)
  })

  it('is another for another job, and none where there is no limit', () => {
    expect(jitter('orders', 0, 1e6)).not.toBe(jitter('others', 0, 1e6))
    expect(jitter('orders', 0, 0)).toBe(0)
  })
})
