import { type Duration, formatDuration } from '../core/duration.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { spanMs } from './span.ts'
import { whereOfCall } from './where-of-call.ts'

const DAY_MS = 86_400_000

export interface WindowOptions {
  /** How late a record may come, by stream time, and still be counted. Default 0. */
  readonly grace?: Duration
  /** How long windows are kept: at least size + grace. Default: that, or a day where it is shorter. */
  readonly retention?: Duration
}

/** Windows with these measures, checked. */
export function timeWindows(sizeMs: number, advanceMs: number, { grace = 0, retention }: WindowOptions): TimeWindows {
  const graceMs = spanMs(grace, 'grace')
  if (sizeMs <= 0) throw invalidJob(whereOfCall(), 'a window has no size', "Give a span, as in tumbling('1h').")
  if (advanceMs <= 0 || advanceMs > sizeMs) {
    throw invalidJob(
      whereOfCall(),
      `windows of ${formatDuration(sizeMs)} cannot advance by ${formatDuration(advanceMs)}`,
      'Advance by more than 0 and at most the size.',
    )
  }
  const windows = { kind: 'time', sizeMs, advanceMs, graceMs, retentionMs: Math.max(sizeMs + graceMs, DAY_MS) } as const
  return Object.freeze(retention === undefined ? windows : withRetention(windows, retention))
}

/** The same windows, kept for another time. Throws JOB_INVALID for one shorter than size + grace. */
export function withRetention(windows: TimeWindows, retention: Duration): TimeWindows {
  const retentionMs = spanMs(retention, 'retention')
  const least = windows.sizeMs + windows.graceMs
  if (retentionMs >= least) return Object.freeze({ ...windows, retentionMs })
  throw invalidJob(
    whereOfCall(),
    `a retention of ${formatDuration(retentionMs)} removes windows that are still open`,
    `Keep them for size and grace at least: ${formatDuration(least)}.`,
  )
}
