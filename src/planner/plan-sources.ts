import type { PlanSource } from './plan-request.ts'
import type { PlannedPartition } from './plan-types.ts'

/** The topics of a plan that was made before, as sources: what it says of them. */
export function planSourcesOf(partitions: readonly PlannedPartition[]): readonly PlanSource[] {
  const sources = new Map<string, PlanSource>()
  for (const { topic, role, rank } of partitions) sources.set(topic, { topic, role, rank, recordTime: false })
  return [...sources.values()]
}
