import type { CronExpression } from '../topology/cron/cron-expression.ts'
import { localClock } from './local-clock.ts'
import { dayOf, localTimes } from './local-times.ts'

/** A clock that was put back shows no time again that it first showed longer ago than this. */
const LOOK_BACK_MS = 2 * 86_400_000

/**
 * The instants (epoch ms) in `[from, to)` that a cron expression has in a time zone, in order, none twice.
 *
 * Where the local clock is changed this is the rule of Debian's cron. Times of day come once on each local day: one that
 * is shown twice counts the first time, one that is left out comes when the clock has gone past it. Intervals (a star
 * for minutes or hours) go by what the clock shows at the moment: nothing is made up for, nothing is held back.
 */
export function* slotsBetween(
  expression: CronExpression,
  zone: string,
  from: number,
  to: number,
): Generator<number, void> {
  /** The greatest local time that the clock has shown. */
  let reached = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const stretch of localClock(zone, from - LOOK_BACK_MS)) {
    if (stretch.from >= to) return
    const start = stretch.from + stretch.offset
    const end = stretch.to + stretch.offset
    if (!expression.interval && leftOut(expression, reached, start) && isIn(stretch.from)) {
      last = stretch.from
      yield last
    }
    const begin = Math.max(expression.interval ? start : Math.max(start, reached), from + stretch.offset)
    for (const local of localTimes(expression, begin, Math.min(end, to + stretch.offset))) {
      const slot = local - stretch.offset
      if (slot <= last) continue
      last = slot
      yield slot
    }
    reached = Math.max(reached, end)
  }

  function isIn(instant: number): boolean {
    return instant >= from && instant < to
  }
}

/** True where the clock jumped over a time of the expression, on a local day of which it has shown something. */
function leftOut(expression: CronExpression, reached: number, start: number): boolean {
  if (!(start > reached && Number.isFinite(reached))) return false
  for (const local of localTimes(expression, reached, start)) {
    if (dayOf(local) === dayOf(reached - 1) || dayOf(local) === dayOf(start)) return true
  }
  return false
}
