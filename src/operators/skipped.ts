import type { TaskContext } from './operator.ts'

/** Why a step leaves a record out. */
export type SkipReason = 'null-key' | 'null-value' | 'null-foreign-key' | 'out-of-order' | 'expired' | 'stale'

/** Counts a record that a step left out. */
export function skipped(context: TaskContext, step: string, reason: SkipReason): void {
  const counts = context.counts(step)
  counts.skipped ??= {}
  counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1
}

/** Counts a record of a stream that found no row in the table it is joined with. */
export function unmatched(context: TaskContext, step: string): void {
  const counts = context.counts(step)
  counts.unmatched = (counts.unmatched ?? 0) + 1
}
