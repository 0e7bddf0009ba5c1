import { invalidJob } from '../topology/invalid-job.ts'
import type { CalendarUnit, CalendarWindows } from '../topology/windows.ts'
import { keptWindows } from './retention.ts'
import { spanMs } from './span.ts'
import type { WindowOptions } from './time-windows.ts'
import { whereOfCall } from './where-of-call.ts'

export interface CalendarOptions extends WindowOptions {
  /** IANA name of the zone, as in `Europe/Berlin`: there is no default. */
  readonly zone: string
}

const UNITS = ['day', 'week', 'month']

/**
 * Days, weeks (from Monday) or months as the calendar of a zone has them: a day is as long as it is there, 23 or 25 hours
 * where summer time begins or ends. Throws JOB_INVALID for a unit or a zone that there is not.
 */
export function calendar(unit: CalendarUnit, { zone, grace = 0, retention }: CalendarOptions): CalendarWindows {
  if (!UNITS.includes(unit)) {
    throw invalidJob(whereOfCall(), `there are no calendar windows of a ${unit}`, `Give one of ${UNITS.join(', ')}.`)
  }
  if (!isZone(zone)) {
    throw invalidJob(
      whereOfCall(),
      `there is no time zone ${zone}`,
      "Give an IANA name, as in 'Europe/Berlin', or 'UTC'.",
    )
  }
  const graceMs = spanMs(grace, 'grace')
  return keptWindows({ kind: 'calendar', unit, zone, graceMs, retentionMs: 0 }, retention)
}

function isZone(zone: string): boolean {
  try {
    return typeof zone === 'string' && new Intl.DateTimeFormat('en', { timeZone: zone }) !== null
  } catch {
    return false
  }
}
