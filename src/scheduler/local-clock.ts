/** A stretch of real time in which the clock of a zone keeps one offset: local time is instant plus offset. All in ms. */
export interface ClockStretch {
  /** Epoch ms, exclusive of `to`. */
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** No zone changes its clock and changes it back within this. */
const STEP_MS = 86_400_000
const SECOND_MS = 1000

/**
 * The clock of a time zone, an IANA name, from an instant on, without end: stretches that follow each other, of which two
 * neighbours may have the same offset.
 */
export function* localClock(zone: string, start: number): Generator<ClockStretch> {
  let from = Math.floor(start / SECOND_MS) * SECOND_MS
  let offset = offsetAt(zone, from)
  for (;;) {
    const probe = from + STEP_MS
    const then = offsetAt(zone, probe)
    const to = then === offset ? probe : changeWithin(zone, from, probe, offset)
    yield { from, to, offset }
    from = to
    offset = then === offset ? offset : offsetAt(zone, to)
  }
}

/** The first whole second past `from` with another offset; `until` has one. */
function changeWithin(zone: string, from: number, until: number, offset: number): number {
  let same = from / SECOND_MS
  let other = until / SECOND_MS
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (offsetAt(zone, middle * SECOND_MS) === offset) same = middle
    else other = middle
  }
  return other * SECOND_MS
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the local clock is ahead of UTC at an instant of whole seconds, in ms. */
function offsetAt(zone: string, instant: number): number {
  let format = formats.get(zone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(zone, format)
  }
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(instant)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - instant
}
