import { zoneOffset } from '../core/zone-offset.ts'

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
  let offset = zoneOffset(zone, from)
  for (;;) {
    const probe = from + STEP_MS
    const then = zoneOffset(zone, probe)
    const to = then === offset ? probe : changeWithin(zone, from, probe, offset)
    yield { from, to, offset }
    from = to
    offset = then === offset ? offset : zoneOffset(zone, to)
  }
}

/** The first whole second past `from` with another offset; `until` has one. */
function changeWithin(zone: string, from: number, until: number, offset: number): number {
  let same = from / SECOND_MS
  let other = until / SECOND_MS
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2)
    if (zoneOffset(zone, middle * SECOND_MS) === offset) same = middle
    else other = middle
  }
  return other * SECOND_MS
}
