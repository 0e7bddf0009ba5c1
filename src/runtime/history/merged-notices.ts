import type { HistoryStep } from './history-step.ts'

/** What a replay says where cuts of streams were merged since: a sentence, or none. */
export function mergedNotices(steps: readonly HistoryStep[]): readonly string[] {
  const merged = steps.filter((step) => step.kind === 'range' && step.merged > 1)
  const cuts = merged.reduce((sum, step) => sum + (step.kind === 'range' ? step.merged : 0), 0)
  if (cuts === 0) return []
  return [
    `${cuts} cuts of streams, older than a week, are merged into ${merged.length} by the hour: what lay between them is processed in one order, with the clock of the last`,
  ]
}
