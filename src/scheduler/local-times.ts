import type { CronExpression } from '../topology/cron/cron-expression.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const SECOND_MS = 1000
const DAY_MS = 24 * HOUR_MS

/** The number of a local day, from 1970 on. */
export function dayOf(local: number): number {
  return Math.floor(local / DAY_MS)
}

/** The local times in `[begin, end)` that match the expression, in order. A local time is written as if it were UTC. */
export function* localTimes(expression: CronExpression, begin: number, end: number): Generator<number, void> {
  for (let day = dayOf(begin); day * DAY_MS < end; day++) {
    if (!matchesDay(expression, day)) continue
    for (const hour of expression.hours) {
      const ofHour = day * DAY_MS + hour * HOUR_MS
      if (ofHour + HOUR_MS <= begin) continue
      for (const minute of expression.minutes) {
        const ofMinute = ofHour + minute * MINUTE_MS
        if (ofMinute + MINUTE_MS <= begin) continue
        for (const second of expression.seconds) {
          const local = ofMinute + second * SECOND_MS
          if (local >= end) return
          if (local >= begin) yield local
        }
      }
    }
  }
}

function matchesDay(expression: CronExpression, day: number): boolean {
  const date = new Date(day * DAY_MS)
  if (!expression.months.includes(date.getUTCMonth() + 1)) return false
  const lastOfMonth = new Date((day + 1) * DAY_MS).getUTCDate() === 1
  const dayMatches = expression.days.includes(date.getUTCDate()) || (expression.lastDay && lastOfMonth)
  const weekdayMatches = expression.weekdays.includes(date.getUTCDay())
  return expression.eitherDay ? dayMatches || weekdayMatches : dayMatches && weekdayMatches
}
