import type { FramedWindows } from '../../topology/windows.ts'
import { calendarFrames } from './calendar-frames.ts'

/** Where windows begin and end that lie in time on their own, whatever the records. Times are epoch ms, 0 or more. */
export interface WindowFrames {
  /** The start of the first window that ends after `time`: it contains `time`. */
  first(time: number): number
  /** The start of the window after the one that begins at `start`. */
  next(start: number): number
  /** The end, exclusive, of the window that begins at `start`. */
  end(start: number): number
}

export function windowFrames(windows: FramedWindows): WindowFrames {
  if (windows.kind === 'calendar') return calendarFrames(windows)
  const { sizeMs, advanceMs } = windows
  return {
    first: (time) => Math.floor(Math.max(0, time - sizeMs + advanceMs) / advanceMs) * advanceMs,
    next: (start) => start + advanceMs,
    end: (start) => start + sizeMs,
  }
}
