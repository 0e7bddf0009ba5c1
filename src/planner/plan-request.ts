import type { Checkpoint } from '../core/checkpoint.ts'
import type { TopicPartition } from '../core/offsets.ts'
import type { Isolation, Log } from '../ports/log.ts'
import type { BadDataPolicy } from '../topology/job.ts'
import type { DataLossPolicy } from './data-loss-policy.ts'
import type { Plan } from './plan-types.ts'

/** One input topic of a job, as far as a plan needs to know it. */
export interface PlanSource {
  readonly topic: string
  readonly role: 'table' | 'stream'
  /** Position of the topic in the topology, from 0. */
  readonly rank: number
  /** True where event time is the record's timestamp: only then can a plan say what comes before what. */
  readonly recordTime: boolean
}

/** All that a plan is made of. */
export interface PlanRequest {
  readonly job: string
  /** Null for a range that is to be named after its bounds. */
  readonly generation: string | null
  readonly kind: 'live' | 'range'
  readonly sources: readonly PlanSource[]
  /** Topics that the job writes and reads by itself: passed on inside, never planned. */
  readonly exchanges: readonly string[]
  /** The generation's own; null where it is empty. */
  readonly checkpoint: Checkpoint | null
  /** What `checkpoint` means for a range generation that is empty. */
  readonly liveCheckpoint: Checkpoint | null
  readonly from: string
  readonly to: string
  /** Where streams start on a job's first run. */
  readonly start: string
  readonly isolation: Isolation
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  readonly onDataLoss: DataLossPolicy
  readonly acceptTopics: readonly string[]
  readonly closeWindows: boolean
  readonly advanceTime: boolean
  readonly maxFutureSkew: { readonly limitMs: number; readonly then: BadDataPolicy } | null
  readonly log: Log
}

export interface PlanResult {
  readonly plan: Plan
  /**
   * True where carrying the plan out would change nothing: no offset to read, no time to move, and every partition
   * stands in the checkpoint already. The plan is there all the same: such a run has its row too.
   */
  readonly nothingToDo: boolean
  /** Where open transactions hold offsets back that were asked for, and how far a reader would come without them. */
  readonly held: readonly (TopicPartition & { readonly until: number })[]
}
