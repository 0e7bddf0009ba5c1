import type { ScheduleSettings } from '../topology/schedule-settings.ts'

/** How long is waited after the attempt of this number, from 1, in ms; null where it was the last one. */
export function backoffMs(
  { attempts, backoffMs, maxBackoffMs }: ScheduleSettings['retry'],
  attempt: number,
): number | null {
  if (attempt >= attempts) return null
  return Math.min(maxBackoffMs, backoffMs * 2 ** (attempt - 1))
}
