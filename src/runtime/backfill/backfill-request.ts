import type { PartSize } from '../../planner/backfill/cut-parts.ts'
import type { DataLossPolicy } from '../../planner/data-loss-policy.ts'
import type { RunRow } from '../../ports/history.ts'
import type { StopSignal } from '../stop-signal.ts'

/** What a person asks of a backfill. */
export interface BackfillRequest {
  /** Only what no run has processed, within the bounds. */
  readonly missing: boolean
  /** Bounds. Of what is missing the whole log by default, up to where the live generation stands. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** Null: one part. */
  readonly every: PartSize | null
  /** The name of its generation; by default it is made of the bounds. */
  readonly as: string | undefined
  /** It publishes its results. */
  readonly emit: boolean
  /** Another backfill of that name is dropped first. */
  readonly replace: boolean
  /** Null: as fast as it can. */
  readonly recordsPerSecond: number | null
  readonly onDataLoss: DataLossPolicy
  readonly stop?: StopSignal
  /** Told when the parts are known. */
  readonly onPlan?: (backfill: PlannedBackfill) => void
  /** Told of each part's run when it starts, after each committed slice, and when it has ended. */
  readonly onProgress?: (run: RunRow, part: number) => void
}

/** A backfill as it will be carried out, or goes on. */
export interface PlannedBackfill {
  readonly generation: string
  readonly parts: readonly PlannedPart[]
  /** How many of them are done. */
  readonly done: number
  /** Offsets of the parts that are not done. */
  readonly offsets: number
  /** What they would take, ms, by the runs of the live generation and the rate asked; null where there were none. */
  readonly estimateMs: number | null
  readonly notices: readonly string[]
}

export interface PlannedPart {
  /** Its end as a bound. */
  readonly to: string
  readonly offsets: number
  readonly ranges: readonly { topic: string; partition: number; from: number; to: number }[]
}
