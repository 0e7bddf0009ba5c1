import fc from 'fast-check'
import { calendar } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { zoneOffset } from '../../../src/core/zone-offset.ts'
import { calendarFrames } from '../../../src/operators/windows/calendar-frames.ts'
import type { CalendarUnit } from '../../../src/topology/windows.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

function windowOf(unit: CalendarUnit, zone: string, at: string): readonly [start: string, hours: number] {
  const frames = calendarFrames({ unit, zone })
  const start = frames.first(Date.parse(at))
  return [new Date(start).toISOString().slice(0, 16), (frames.end(start) - start) / HOUR]
}

describe('calendar windows', () => {
  it.each([
    ['day', 'UTC', '2025-10-26T12:00Z', '2025-10-26T00:00', 24],
    ['day', 'Europe/Berlin', '2025-10-26T12:00Z', '2025-10-25T22:00', 25],
    ['day', 'Europe/Berlin', '2025-10-26T23:00Z', '2025-10-26T23:00', 24],
    ['day', 'Europe/Berlin', '2025-03-30T21:59Z', '2025-03-29T23:00', 23],
    ['day', 'Asia/Kathmandu', '2025-06-01T00:00Z', '2025-05-31T18:15', 24],
    ['day', 'Australia/Lord_Howe', '2025-04-05T20:00Z', '2025-04-05T13:00', 24.5],
    // summer time began at midnight, which there was none of
    ['day', 'America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T03:00', 23],
    // summer time ended at midnight: the hour before it came twice
    ['day', 'America/Sao_Paulo', '2018-02-18T01:30Z', '2018-02-17T02:00', 25],
    // clocks went back at one past midnight: midnight came twice, and the day begins with the first one
    ['day', 'America/St_Johns', '2006-10-29T03:00Z', '2006-10-29T02:30', 25],
    ['day', 'America/St_Johns', '2006-10-29T02:29Z', '2006-10-28T02:30', 24],
    // the zone changed sides of the date line and left 30 December out
    ['day', 'Pacific/Apia', '2011-12-30T09:59Z', '2011-12-29T10:00', 24],
    ['day', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-30T10:00', 24],
    ['week', 'UTC', '2025-11-09T23:59Z', '2025-11-03T00:00', 168],
    ['week', 'Europe/Berlin', '2025-10-26T12:00Z', '2025-10-19T22:00', 169],
    ['month', 'UTC', '2024-02-29T12:00Z', '2024-02-01T00:00', 29 * 24],
    ['month', 'America/New_York', '2025-03-31T12:00Z', '2025-03-01T05:00', 31 * 24 - 1],
    ['month', 'Europe/Berlin', '2025-12-31T23:00Z', '2025-12-31T23:00', 31 * 24],
  ] as const)('%s in %s at %s begins at %s and takes %f hours', (unit, zone, at, start, hours) => {
    expect(windowOf(unit, zone, at)).toEqual([start, hours])
  })

  const zones = Intl.supportedValuesOf('timeZone')

  it('cover time without a gap, in every zone, and begin when the local clock first comes to midnight', () => {
    const instants = fc.integer({ min: 0, max: Date.UTC(2037, 0) })
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.constantFrom('day', 'week', 'month'), instants, (zone, unit, at) => {
        const frames = calendarFrames({ unit, zone })
        const start = frames.first(at)
        const end = frames.end(start)
        expect(start).toBeLessThanOrEqual(at)
        expect(end).toBeGreaterThan(at)
        expect(frames.first(end)).toBe(end)
        expect(frames.first(end - 1)).toBe(start)
        expect(frames.next(start)).toBe(end)
        if (start === 0) return
        const midnight = Math.floor((start + zoneOffset(zone, start)) / DAY) * DAY
        expect(start - 1000 + zoneOffset(zone, start - 1000)).toBeLessThan(midnight)
        expect(unit === 'week' ? new Date(midnight).getUTCDay() : 1).toBe(1)
        // a zone may leave out the first of a month, or a Monday
        if (unit === 'month' && zone !== 'Pacific/Apia') expect(new Date(midnight).getUTCDate()).toBe(1)
      }),
      propertyRuns(500),
    )
  })

  it('begin at 0 at the earliest, as all windows', () => {
    const frames = calendarFrames({ unit: 'day', zone: 'Europe/Berlin' })
    expect([frames.first(0), frames.end(0)]).toEqual([0, 23 * HOUR])
    expect(calendarFrames({ unit: 'month', zone: 'America/New_York' }).first(0)).toBe(0)
  })

  it('are kept for the longest of them, and longer where that is said', () => {
    expect(calendar('day', { zone: 'UTC', grace: '1h' })).toEqual({
      kind: 'calendar',
      unit: 'day',
      zone: 'UTC',
      graceMs: HOUR,
      retentionMs: 2 * DAY + HOUR,
    })
    expect(calendar('month', { zone: 'UTC', retention: '90d' }).retentionMs).toBe(90 * DAY)
  })

  it.each([
    [() => calendar('day', { zone: 'Europe/Atlantis' }), /no time zone Europe\/Atlantis$/],
    [() => calendar('year' as never, { zone: 'UTC' }), /no calendar windows of a year$/],
    [() => calendar('day', {} as never), /no time zone undefined$/],
    [() => calendar('week', { zone: 'UTC', retention: '7d' }), /removes windows that are still open$/],
  ])('%s is refused', (make, message) => {
    expect(make).toThrowError(expect.objectContaining({ code: 'JOB_INVALID', message: expect.stringMatching(message) }))
  })
})
