import { type Duration, durationMs } from '../core/duration.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { timeWindows, type WindowOptions } from './tumbling.ts'

/** Overlapping windows of one size, one beginning at every multiple of `advance`. */
export function hopping(size: Duration, options: WindowOptions & { readonly advance: Duration }): TimeWindows {
  return timeWindows(durationMs(size, 'size'), durationMs(options.advance, 'advance'), options)
}
