import type { CronExpression } from '../topology/cron/cron-expression.ts'
import { slotsBetween } from './slots-between.ts'

/** 29 February on a given weekday is the rarest of all, and comes within this. */
const HORIZON_MS = 45 * 366 * 86_400_000

/** The first slot at or after `from`, epoch ms; null where there is none. */
export function nextSlot(expression: CronExpression, zone: string, from: number): number | null {
  const { value } = slotsBetween(expression, zone, from, from + HORIZON_MS).next()
  return value ?? null
}
