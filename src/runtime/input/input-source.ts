import type { TidemarkError } from '../../core/errors.ts'
import type { PartitionRange } from '../../core/offsets.ts'
import type { BadDataPolicy } from '../../topology/job.ts'
import type { TopicSpec } from '../../topology/topic-spec.ts'

/** One input topic of a job, and what the steps below its source need of a record. */
export interface InputSource {
  readonly nodeId: number
  readonly step: string
  readonly role: 'table' | 'stream'
  readonly topic: TopicSpec
  readonly needsKey: boolean
  readonly needsValue: boolean
}

/** One record that is left out whatever it holds. */
export interface RecordSkip {
  readonly reason: 'asked' | 'user-error'
  readonly action: 'skip' | 'dead-letter'
  /** What user code threw on it, where that is the reason. */
  readonly error: TidemarkError | null
}

/** How records that cannot be processed are treated. */
export interface InputPolicies {
  readonly job: string
  readonly onBadData: BadDataPolicy
  readonly maxFutureSkew: { readonly limitMs: number; readonly then: BadDataPolicy } | null
  /** Records to leave out, `topic/partition@offset`, with the reason and what becomes of them. */
  readonly skips: ReadonlyMap<string, RecordSkip>
  /** The run's recorded clock, epoch ms. */
  readonly now: number
}

/** Where a partition stands. */
export interface InputStart extends PartitionRange {
  readonly floor: number
  readonly partitionTime: number
}

export function recordKey(topic: string, partition: number, offset: number): string {
  return `${topic}/${partition}@${offset}`
}
