import { type Arbitrary, constantFrom, integer, record, tuple, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextSlot } from '../../../src/scheduler/next-slot.ts'
import { slotsBetween } from '../../../src/scheduler/slots-between.ts'
import { cronExpression } from '../../../src/topology/cron/cron-expression.ts'
import { holds } from '../cli/property.ts'
import { type NaiveField, type NaiveFields, naiveSlots } from './naive-slots.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function slots(expression: string, zone: string, from: string, to: string): readonly string[] {
  const found = slotsBetween(cronExpression(expression), zone, Date.parse(from), Date.parse(to))
  return [...found].map((slot) => new Date(slot).toISOString().replace(':00.000Z', ''))
}

describe('the slots of a range', () => {
  it('has its start and not its end', () => {
    expect(slots('0 */6 * * *', 'UTC', '2025-01-01T00:00Z', '2025-01-02T00:00Z')).toEqual([
      '2025-01-01T00:00',
      '2025-01-01T06:00',
      '2025-01-01T12:00',
      '2025-01-01T18:00',
    ])
    expect(slots('0 6 * * *', 'UTC', '2025-01-01T06:00:00.001Z', '2025-01-02T06:00Z')).toEqual([])
  })

  it.each([
    ['0 0 1 * fri', '2025-05-01T00:00Z', '2025-05-12T00:00Z', ['01', '02', '09']],
    ['0 0 */10 * fri', '2025-07-01T00:00Z', '2025-08-01T00:00Z', ['11']],
    ['0 0 1 * *', '2025-05-01T00:00Z', '2025-05-12T00:00Z', ['01']],
    ['0 0 l * *', '2024-02-01T00:00Z', '2024-03-01T00:00Z', ['29']],
    ['0 0 L,5 * *', '2025-02-01T00:00Z', '2025-03-01T00:00Z', ['05', '28']],
  ])('takes days as cron does: %s', (expression, from, to, days) => {
    expect(slots(expression, 'UTC', from, to).map((slot) => slot.slice(8, 10))).toEqual(days)
  })

  it.each([
    ['*/20 30 1 * * *', ['01:30:00', '01:30:20', '01:30:40']],
    ['15,45 59 23 * * *', ['23:59:15', '23:59:45']],
  ])('has seconds: %s', (expression, times) => {
    const [from, to] = [Date.parse('2025-01-01T00:00Z'), Date.parse('2025-01-02T00:00Z')]
    const found = [...slotsBetween(cronExpression(expression), 'UTC', from, to)]
    expect(found.map((slot) => new Date(slot).toISOString().slice(11, 19))).toEqual(times)
  })
})

describe('summer time', () => {
  it.each([
    ['30 2 * * *', '2025-10-26', ['2025-10-26T00:30']],
    ['30 2 * * *', '2025-03-30', ['2025-03-30T01:00']],
    ['0,15,30 2 * * *', '2025-03-30', ['2025-03-30T01:00']],
    ['30 2,3 * * *', '2025-03-30', ['2025-03-30T01:00', '2025-03-30T01:30']],
    ['0 2,3 * * *', '2025-03-30', ['2025-03-30T01:00']],
    ['0,30 2 * * *', '2025-10-26', ['2025-10-26T00:00', '2025-10-26T00:30']],
    ['30 2 30 3 *', '2025-03-30', ['2025-03-30T01:00']],
    ['0 3 * * *', '2025-10-26', ['2025-10-26T02:00']],
    // A star in the minute or the hour is an interval: by the clock as it is.
    ['*/30 2 * * *', '2025-03-30', []],
    ['*/30 2 * * *', '2025-10-26', ['2025-10-26T00:00', '2025-10-26T00:30', '2025-10-26T01:00', '2025-10-26T01:30']],
  ])('in Berlin, %s on %s', (expression, day, expected) => {
    const midnight = nextSlot(cronExpression('0 0 * * *'), 'Europe/Berlin', Date.parse(day) - 3 * HOUR) ?? 0
    const next = nextSlot(cronExpression('0 0 * * *'), 'Europe/Berlin', midnight + HOUR) ?? 0
    expect(slots(expression, 'Europe/Berlin', new Date(midnight).toISOString(), new Date(next).toISOString())).toEqual(
      expected,
    )
  })

  it('leaves a gap of seven hours for a six-hourly job in the night that is longer', () => {
    const found = slots('0 */6 * * *', 'Europe/Berlin', '2025-10-25T20:00Z', '2025-10-26T23:30Z')
    expect(found).toEqual([
      '2025-10-25T22:00',
      '2025-10-26T05:00',
      '2025-10-26T11:00',
      '2025-10-26T17:00',
      '2025-10-26T23:00',
    ])
  })

  it('keeps the spacing of hourly jobs in real time', () => {
    for (const day of ['2025-03-30', '2025-10-26']) {
      const from = Date.parse(day) - 3 * HOUR
      const found = [...slotsBetween(cronExpression('@hourly'), 'Europe/Berlin', from, from + 27 * HOUR)]
      expect(found).toEqual(Array.from({ length: 27 }, (_, hour) => from + hour * HOUR))
    }
  })

  it('knows zones that change by half an hour, at midnight, and over a whole day', () => {
    // Lord Howe Island: 02:00 becomes 02:30, and back from 02:00 to 01:30.
    expect(slots('15 2 * * *', 'Australia/Lord_Howe', '2025-10-04T12:00Z', '2025-10-05T12:00Z')).toEqual([
      '2025-10-04T15:30',
    ])
    expect(slots('45 1 * * *', 'Australia/Lord_Howe', '2025-04-05T12:00Z', '2025-04-06T12:00Z')).toEqual([
      '2025-04-05T14:45',
    ])
    // Cairo: there is no 00:00 on the last Friday of April.
    expect(slots('0 0 * * *', 'Africa/Cairo', '2025-04-24T12:00Z', '2025-04-25T12:00Z')).toEqual(['2025-04-24T22:00'])
    // Samoa had no 30 December 2011.
    expect(slots('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00Z', '2012-01-01T00:00Z')).toEqual([
      '2011-12-29T22:00',
      '2011-12-30T22:00',
      '2011-12-31T22:00',
    ])
  })
})

describe('the next slot', () => {
  it.each([
    ['0 9 1 3 *', 'Europe/Berlin', '2025-04-29T12:00Z', '2026-03-01T08:00Z'],
    ['0 0 29 2 *', 'UTC', '2025-01-01T00:00Z', '2028-02-29T00:00Z'],
    ['0 0 29 2 *', 'UTC', '2097-01-01T00:00Z', '2104-02-29T00:00Z'],
    ['0 0 29 2 */7', 'UTC', '2025-01-01T00:00Z', '2032-02-29T00:00Z'],
  ])('%s in %s after %s', (expression, zone, from, expected) => {
    expect(nextSlot(cronExpression(expression), zone, Date.parse(from))).toBe(Date.parse(expected))
  })
})

/** Days around which the clock of the zone is changed, and one on which it is not. */
const CHANGES = [
  ['Europe/Berlin', '2025-03-30'],
  ['Europe/Berlin', '2025-10-26'],
  ['America/New_York', '2024-11-03'],
  ['America/New_York', '2025-03-09'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['Africa/Casablanca', '2025-02-23'],
  ['Pacific/Apia', '2011-12-30'],
  ['Antarctica/Troll', '2025-03-30'],
  ['Antarctica/Troll', '2025-10-26'],
  ['Asia/Kathmandu', '2025-06-01'],
  ['UTC', '2024-02-29'],
] as const

function field(name: string, min: number, max: number): Arbitrary<NaiveField> {
  const all = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  const listed = uniqueArray(integer({ min, max }), { minLength: 1, maxLength: 3 }).map((values) => ({
    text: values.join(),
    values,
  }))
  const stepped = integer({ min: 1, max: 20 }).map((step) => ({
    text: step === 1 ? '*' : `*/${step}`,
    values: all.filter((value) => (value - min) % step === 0),
  }))
  const ranged = integer({ min, max }).chain((first) =>
    integer({ min: first, max }).map((last) => ({
      text: `${first}-${last}`,
      values: all.filter((value) => value >= first && value <= last),
    })),
  )
  const days = name === 'day' || name === 'month' || name === 'weekday'
  return constantFrom(0, 1, 2, days ? 1 : 0, days ? 1 : 0).chain((kind) => [listed, stepped, ranged][kind]!)
}

const FIELDS: Arbitrary<NaiveFields> = record({
  minute: field('minute', 0, 59),
  hour: field('hour', 0, 23),
  day: field('day', 1, 31),
  month: field('month', 1, 12),
  weekday: field('weekday', 0, 6),
})

const ANY_MONTH: NaiveField = { text: '*', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }

describe('against a model that looks at every minute', () => {
  it('has the same slots', async () => {
    let found = 0
    await holds(
      tuple(FIELDS, constantFrom(...CHANGES), integer({ min: -30, max: 24 })),
      ([random, [zone, day], shift]) => {
        // Every month, so that the days that are looked at are among those asked for.
        const fields = { ...random, month: ANY_MONTH }
        const { minute, hour, day: days, month, weekday } = fields
        const text = [minute, hour, days, month, weekday].map((each) => each.text).join(' ')
        const from = Date.parse(day) + shift * HOUR
        const to = from + 1.5 * DAY
        const expected = naiveSlots(fields, zone, from, to)
        found += expected.length
        expect([...slotsBetween(cronExpression(text), zone, from, to)], `${text} in ${zone}`).toEqual(expected)
      },
      100,
    )
    expect(found).toBeGreaterThan(0)
  })
})
