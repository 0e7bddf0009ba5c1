import { type PartitionRange, parsePartitionKey, partitionKey } from '../../core/offsets.ts'
import type { HistoryStep, RangeStep } from './history-step.ts'

/** All ranges as one, from where the first began to where the last step left the offsets, with the last run's clock. */
export function mergedSteps(steps: readonly HistoryStep[]): readonly HistoryStep[] {
  const last = steps.at(-1)
  const ranges = steps.filter((step): step is RangeStep => step.kind === 'range')
  const final = ranges.at(-1)
  if (last === undefined || final === undefined) return steps
  const reset = steps[0]?.kind === 'reset' ? [steps[0]] : []
  const merged: RangeStep = {
    ...final,
    seq: last.seq,
    ranges: span(steps),
    goesOn: ranges[0]?.goesOn ?? false,
    leftOut: ranges.flatMap(({ leftOut }) => leftOut),
    gaps: ranges.flatMap(({ gaps }) => gaps),
    accepted: [...new Set(ranges.flatMap(({ accepted }) => accepted))],
    addedStores: [...new Set(ranges.flatMap(({ addedStores }) => addedStores))],
  }
  return [...reset, merged]
}

/** What was read of topics that are gone is no part of it. */
function span(steps: readonly HistoryStep[]): readonly PartitionRange[] {
  const spans = new Map<string, PartitionRange>()
  for (const step of steps) {
    if (step.kind === 'range') {
      for (const range of step.ranges) {
        if (step.gone.includes(range.topic)) continue
        const key = partitionKey(range.topic, range.partition)
        const from = spans.get(key)?.from ?? range.from
        spans.set(key, { ...range, from, to: Math.max(from, range.to) })
      }
    } else {
      for (const [key, to] of Object.entries(step.offsets ?? {})) {
        const from = spans.get(key)?.from ?? to
        spans.set(key, { ...parsePartitionKey(key), from, to: Math.max(from, to) })
      }
    }
  }
  return [...spans.values()]
}
