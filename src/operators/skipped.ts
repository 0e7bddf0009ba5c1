import type { TaskContext } from './operator.ts'

/** Counts a record that a step left out. */
export function skipped(context: TaskContext, step: string, reason: 'null-key' | 'null-value'): void {
  const counts = context.counts(step)
  counts.skipped ??= {}
  counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1
}
