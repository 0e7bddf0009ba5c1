import type { PartitionRange } from '../core/offsets.ts'

export type RunStatus = 'running' | 'done' | 'failed' | 'interrupted' | 'crashed'

/** Counts of one step. Absent means 0. */
export interface StepCounts {
  /** Records that missed at least one of their windows. */
  late?: number
  /** Windows missed by late records. */
  droppedWindows?: number
  /** Records left out, by reason: `null-key`, `null-value`, `bad-data`, `timestamp`, `too-far`, `user-error`, `asked`. */
  skipped?: Record<string, number>
  deadLettered?: number
  /** Records of a stream that found no row in the table that they are joined with. */
  unmatched?: number
  /** Records written by a sink. */
  outputs?: number
}

export interface PartitionReport extends PartitionRange {
  readonly records: number
}

/** What a run has read and made, as digests of 16 hexadecimal digits; keys are sorted. */
export interface RunDigests {
  /** Of the records read, by `topic/partition`. */
  readonly inputs: Readonly<Record<string, string>>
  /** Of the records that sinks were given, before they are folded, by `step/task`. */
  readonly outputs: Readonly<Record<string, string>>
  /** Of the updates of stores, before they are folded, by `store/task`. */
  readonly stores: Readonly<Record<string, string>>
}

/** How long a run was at what, ms, over all its attempts. */
export interface RunPhases {
  readonly plan: number
  /** Stores from their changelogs, and what a dead run had promised. */
  readonly restore: number
  /** Reading too. */
  readonly process: number
  /** The state file. */
  readonly store: number
  /** Sending, and waiting for the outside. */
  readonly deliver: number
}

/** An attempt at a run that did not come to its end. Times are epoch ms. */
export interface EarlierAttempt {
  readonly attempt: number
  readonly trigger: string
  readonly status: RunStatus
  readonly finishedAt: number | null
  readonly jobHash: string
  readonly error: string | null
}

/** A run as the history keeps it. Counters change only with a committed slice. Times are epoch ms. */
export interface RunRow {
  readonly runId: string
  readonly job: string
  readonly generation: string
  readonly trigger: string
  readonly attempt: number
  readonly status: RunStatus
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly durationMs: number | null
  readonly jobHash: string
  /** The plan's hash, and the plan itself as JSON. */
  readonly planHash: string
  readonly plan: string
  readonly slices: number
  readonly records: number
  /** Of the records read, as they lie in batches, and of the batches written, changelogs too. */
  readonly bytes?: { readonly read: number; readonly written: number }
  readonly phases?: RunPhases
  /** Oldest first; the latest, where there were many. */
  readonly earlier?: readonly EarlierAttempt[]
  readonly partitions: readonly PartitionReport[]
  readonly steps: Readonly<Record<string, StepCounts>>
  /** Offsets that open transactions held back, over all partitions. */
  readonly heldBack: number
  readonly streamTime: number | null
  /** The record that moved stream time last: `topic[partition]@offset`. */
  readonly streamTimeBy: string | null
  /** Rows that were written by another task than the one before: partitions were added. */
  readonly movedRows: number
  readonly notices: readonly string[]
  /** Absent where nothing was committed, and in rows of before there were any. */
  readonly digests?: RunDigests
  readonly stores: readonly { readonly name: string; readonly entries: number }[]
  readonly error: { code: string; message: string; hint?: string; at?: string } | null
}

/** A change of state that is not an input record. `seq` is the token's number of the commit that made it. */
export interface HistoryEvent {
  readonly kind:
    | 'cut'
    | 'time-advanced'
    | 'windows-closed'
    | 'reset'
    | 'checkpoint-set'
    | 'skipped'
    | 'gap'
    | 'topic-accepted'
    | 'store-added'
    | 'init'
    | 'switched'
    | 'restored'
    | 'backfill'
  readonly seq: number
  readonly runId: string | null
  /** The run's recorded clock, epoch ms. */
  readonly at: number
  readonly detail: Readonly<Record<string, unknown>>
}

/** An event as a state file keeps it. Numbers rise in the order in which events were written. */
export type NumberedEvent = HistoryEvent & { readonly number: number }
