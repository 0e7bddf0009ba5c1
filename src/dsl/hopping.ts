import type { Duration } from '../core/duration.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { spanMs } from './span.ts'
import { timeWindows, type WindowOptions } from './time-windows.ts'

/** Overlapping windows of one size, one beginning at every multiple of `advance`. */
export function hopping(size: Duration, options: WindowOptions & { readonly advance: Duration }): TimeWindows {
  return timeWindows(spanMs(size, 'size'), spanMs(options.advance, 'advance'), options)
}
