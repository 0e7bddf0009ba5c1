import { type Duration, formatDuration } from '../core/duration.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { keptWindows } from './retention.ts'
import { spanMs } from './span.ts'
import { whereOfCall } from './where-of-call.ts'

export interface WindowOptions {
  /** How late a record may come, by stream time, and still be counted. Default 0. */
  readonly grace?: Duration
  /** How long windows are kept: as long as they can be open at least. Default: that, or a day where it is shorter. */
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
  return keptWindows({ kind: 'time', sizeMs, advanceMs, graceMs, retentionMs: 0 }, retention)
}
