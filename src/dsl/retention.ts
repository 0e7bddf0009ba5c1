import { type Duration, formatDuration } from '../core/duration.ts'
import { unreachable } from '../core/errors.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { WindowSpec } from '../topology/windows.ts'
import { spanMs } from './span.ts'
import { whereOfCall } from './where-of-call.ts'

const DAY_MS = 86_400_000

/** The most that a window can take, with clocks that are set back. */
const LONGEST_DAYS = { day: 2, week: 8, month: 32 } as const

/** The same windows, kept for another time. Throws JOB_INVALID for one that removes windows which are still open. */
export function withRetention<W extends WindowSpec>(windows: W, retention: Duration): W {
  const retentionMs = spanMs(retention, 'retention')
  const least = leastRetentionMs(windows)
  if (retentionMs >= least) return keptFor(windows, retentionMs)
  throw invalidJob(
    whereOfCall(),
    `a retention of ${formatDuration(retentionMs)} removes windows that are still open`,
    `Keep them for ${formatDuration(least)} at least.`,
  )
}

/** Windows as `retention` says; without one, as long as they can be open, and a day at least. */
export function keptWindows<W extends WindowSpec>(windows: W, retention: Duration | undefined): W {
  if (retention !== undefined) return withRetention(windows, retention)
  return keptFor(windows, Math.max(leastRetentionMs(windows), DAY_MS))
}

function keptFor<W extends WindowSpec>(windows: W, retentionMs: number): W {
  const kept: W = { ...windows, retentionMs }
  Object.freeze(kept)
  return kept
}

/** How long windows have to be kept by their starts (sessions: by their ends) so that none is removed while it is open. */
function leastRetentionMs(windows: WindowSpec): number {
  switch (windows.kind) {
    case 'time':
      return windows.sizeMs + windows.graceMs
    case 'calendar':
      return LONGEST_DAYS[windows.unit] * DAY_MS + windows.graceMs
    case 'sliding':
      return 2 * windows.differenceMs + windows.graceMs
    case 'session':
      return windows.gapMs + windows.graceMs
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
