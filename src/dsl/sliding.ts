import type { Duration } from '../core/duration.ts'
import type { SlidingWindows } from '../topology/windows.ts'
import { keptWindows } from './retention.ts'
import { spanMs } from './span.ts'
import type { WindowOptions } from './time-windows.ts'

/** For every record the window that ends with it, and so every set of records that lie within `difference` of each other. */
export function sliding(difference: Duration, { grace = 0, retention }: WindowOptions = {}): SlidingWindows {
  const differenceMs = spanMs(difference, 'difference')
  return keptWindows({ kind: 'sliding', differenceMs, graceMs: spanMs(grace, 'grace'), retentionMs: 0 }, retention)
}
