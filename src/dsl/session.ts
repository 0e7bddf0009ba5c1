import type { Duration } from '../core/duration.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { SessionWindows } from '../topology/windows.ts'
import { keptWindows } from './retention.ts'
import { spanMs } from './span.ts'
import type { WindowOptions } from './time-windows.ts'
import { whereOfCall } from './where-of-call.ts'

/** Records of one key with no more than `gap` between one and the next. Throws JOB_INVALID for a gap of 0. */
export function session(gap: Duration, { grace = 0, retention }: WindowOptions = {}): SessionWindows {
  const gapMs = spanMs(gap, 'gap')
  if (gapMs <= 0) throw invalidJob(whereOfCall(), 'a session has no gap', "Give a span, as in session('30m').")
  return keptWindows({ kind: 'session', gapMs, graceMs: spanMs(grace, 'grace'), retentionMs: 0 }, retention)
}
