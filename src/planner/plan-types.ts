import type { LeftOutRecord } from '../core/checkpoint.ts'
import type { PartitionRange } from '../core/offsets.ts'
import type { Isolation } from '../ports/log.ts'

/** Every partition's range, fixed before the first record is read. Versioned, hashed, self-contained. */
export interface Plan {
  readonly version: 1
  /** SHA-256 (hex) of the plan's canonical JSON without this field. */
  readonly hash: string
  readonly job: string
  readonly generation: string
  /** The bounds as they were asked, in their canonical text. */
  readonly asked: { readonly from: string; readonly to: string }
  /** The times that asked bounds stand for, epoch ms; null for a bound that is not on time. */
  readonly times: { readonly from: number | null; readonly to: number | null }
  /** The ends were found under this isolation, and the ranges are read under it. */
  readonly isolation: Isolation
  /** In merge order: tables before streams, then topic rank, then partition. */
  readonly partitions: readonly PlannedPartition[]
  /** Present where the range is bounded by a timestamp and `--advance-time` was asked: stream time moves there at the end. */
  readonly advanceTo: number | null
  readonly closeWindows: boolean
  /** Ranges that were lost and are skipped under `--on-data-loss skip`. */
  readonly gaps: readonly PartitionRange[]
  /** Topics that start anew because `--accept-topic` named them: what the checkpoint holds of their partitions is void. */
  readonly accepted: readonly string[]
  /** Topic ids seen when the plan was made. */
  readonly topicIds: Readonly<Record<string, string>>
  readonly clusterId: string
  /** Offsets held back by open transactions, over all partitions. */
  readonly heldBack: number
  /** Sentences for people: what was cut, held, or odd. */
  readonly notices: readonly string[]
  /** Present where the plan does again what the history of a generation tells. */
  readonly replays?: ReplayedStep
}

/** One step of a generation's history, as a plan that does it again names it. */
export interface ReplayedStep {
  readonly generation: string
  /** The token's number of the commit that ended the step. */
  readonly seq: number
  readonly runId: string
  /** False where the run was in the middle of its range: nothing happens that belongs to a range's end. */
  readonly whole: boolean
  /** True where it is the rest of a range whose beginning is processed: floors are kept. */
  readonly goesOn: boolean
  /** Records that are left out whatever they hold. */
  readonly leftOut: readonly LeftOutRecord[]
}

export interface PlannedPartition extends PartitionRange {
  readonly role: 'table' | 'stream'
  /** Position of the topic in the topology, from 0. */
  readonly rank: number
  readonly startedBy: StartedBy
}

/**
 * Why a partition starts where it does: the checkpoint, the `from` bound, the job's `start` bound, a table's log start,
 * a partition that the checkpoint does not know, a topic accepted anew, or the history that is replayed.
 */
export type StartedBy = 'checkpoint' | 'from' | 'start' | 'log-start' | 'new-partition' | 'accepted' | 'history'
