import { zoneOffset } from '../../core/zone-offset.ts'

export const DAY_MS = 86_400_000
const SECOND_MS = 1000

/** The number of the day, from 1970 on, that the local clock of a zone shows at an instant. */
export function localDay(zone: string, instant: number): number {
  return Math.floor((instant + zoneOffset(zone, instant)) / DAY_MS)
}

/**
 * When a day begins in a zone: the first instant at which its local clock shows midnight of that day or later. Where
 * midnight comes twice that is the first one; where the clock jumps over it, the jump.
 */
export function dayStart(zone: string, day: number): number {
  const midnight = day * DAY_MS
  const before = zoneOffset(zone, midnight - DAY_MS)
  const after = zoneOffset(zone, midnight + DAY_MS)
  const early = midnight - Math.max(before, after)
  const late = midnight - Math.min(before, after)
  if (early + zoneOffset(zone, early) >= midnight) return early
  if (early === late) return late
  return firstShowing(zone, midnight, early, late)
}

/** The first whole second past `from` and up to `until` at which the local clock has come to `midnight`; at `until` it has. */
function firstShowing(zone: string, midnight: number, from: number, until: number): number {
  let short = Math.floor(from / SECOND_MS)
  let there = Math.ceil(until / SECOND_MS)
  while (there - short > 1) {
    const middle = Math.floor((short + there) / 2)
    if (middle * SECOND_MS + zoneOffset(zone, middle * SECOND_MS) >= midnight) there = middle
    else short = middle
  }
  return there * SECOND_MS
}
