import type { Windowed } from '../../core/windowed.ts'
import type { Step } from '../step.ts'

/** Tells of a record that missed windows: counts it, and sends it to the steps that take late records. */
export type LateWindows = (
  key: unknown,
  value: unknown,
  missed: readonly Windowed<unknown>[],
  timestamp: number,
) => void

export function lateWindows(name: string, { context, late }: Step): LateWindows {
  return (key, value, missed, timestamp) => {
    const counts = context.counts(name)
    counts.late = (counts.late ?? 0) + 1
    counts.droppedWindows = (counts.droppedWindows ?? 0) + missed.length
    if (late !== null) late(key, value, missed, timestamp)
  }
}
