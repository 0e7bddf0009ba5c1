import type { TimeWindows } from '../topology/windows.ts'

/** The first start of a window that contains `timestamp`; the others follow at every `advanceMs` up to `timestamp`. */
export function firstStart(windows: TimeWindows, timestamp: number): number {
  const { sizeMs, advanceMs } = windows
  return Math.floor(Math.max(0, timestamp - sizeMs + advanceMs) / advanceMs) * advanceMs
}

/** The first start at or past `from`. */
export function startFrom(windows: TimeWindows, from: number): number {
  return Math.ceil(from / windows.advanceMs) * windows.advanceMs
}
