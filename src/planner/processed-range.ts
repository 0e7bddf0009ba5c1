import type { PartitionRange } from '../core/offsets.ts'
import type { RunRow } from '../ports/history.ts'
import { parsePlan } from './parse-plan.ts'

/** What one run has processed of one partition, as committed. */
export interface ProcessedRange extends PartitionRange {
  readonly runId: string
  /** Which topic of that name it was: offsets of another one say nothing about it. */
  readonly topicId: string
}

/** What runs have processed. Runs that read nothing, or that could make no plan, have no ranges. */
export function processedRanges(runs: readonly RunRow[]): readonly ProcessedRange[] {
  return runs.flatMap(({ runId, plan, partitions }) => {
    const read = partitions.filter(({ from, to }) => from < to)
    if (read.length === 0) return []
    const { topicIds } = parsePlan(plan)
    return read.map(({ topic, partition, from, to }) => {
      return { topic, partition, from, to, runId, topicId: topicIds[topic] ?? '' }
    })
  })
}
