import type { Duration } from '../core/duration.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { spanMs } from './span.ts'
import { timeWindows, type WindowOptions } from './time-windows.ts'

/** Windows of one size, side by side: `[0, size)`, `[size, 2 * size)`, … Throws JOB_INVALID for a size of 0. */
export function tumbling(size: Duration, options: WindowOptions = {}): TimeWindows {
  const sizeMs = spanMs(size, 'size')
  return timeWindows(sizeMs, sizeMs, options)
}
