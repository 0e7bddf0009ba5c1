import type { LeftOutRecord } from '../../core/checkpoint.ts'
import type { PartitionRange } from '../../core/offsets.ts'

/**
 * One change of a generation's state, as its history tells it. `seq` is the number of the commit's token that ended it, `at`
 * the recorded clock of the run, epoch ms.
 */
export type HistoryStep = RangeStep | MoveStep | ResetStep

/** A range of records that a run has processed. */
export interface RangeStep {
  readonly kind: 'range'
  readonly seq: number
  readonly at: number
  readonly runId: string
  /** The row that it has in the history: another run's, where it is itself a replay. */
  readonly rowId: string
  /** Of the job file that did it, as far as it is known. */
  readonly jobHash: string
  /** Every planned partition, those that had nothing to read too. */
  readonly ranges: readonly PartitionRange[]
  readonly advanceTo: number | null
  readonly closeWindows: boolean
  /** So many cuts of a stream, of which only the last is known. */
  readonly merged: number
  /** False where the run was in the middle of its range. */
  readonly whole: boolean
  /** True where it is the rest of a range whose beginning is the step before: floors are kept. */
  readonly goesOn: boolean
  readonly leftOut: readonly LeftOutRecord[]
  /** Ranges that were lost by then and skipped as asked. */
  readonly gaps: readonly PartitionRange[]
  /** Topics that were read from their beginning as new ones. */
  readonly accepted: readonly string[]
  /** Topics that were made again later: what was read here is gone. */
  readonly gone: readonly string[]
  /** Stores that the job had from here on. */
  readonly addedStores: readonly string[]
}

/** The offsets were moved by hand. */
export interface MoveStep {
  readonly kind: 'checkpoint-set'
  readonly seq: number
  readonly at: number
  /** Where the moved partitions stand, by `topic/partition`. */
  readonly offsets: Readonly<Record<string, number>>
  /** As the event has it. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** Stream times were forgotten, and with `offsets` everything else too: partitions stand there. */
export interface ResetStep {
  readonly kind: 'reset'
  readonly seq: number
  readonly at: number
  readonly offsets: Readonly<Record<string, number>> | null
  /** As the event has it. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** Where a state was restored from its changelogs, and how it got there is not told. */
export interface RestoredPoint {
  readonly seq: number
  readonly at: number
  /** By `topic/partition`. */
  readonly offsets: Readonly<Record<string, number>>
  /** The run that was in the middle of its range there, or null. */
  readonly runUnderWay: string | null
}
