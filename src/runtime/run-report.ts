import type { RunRow, RunStatus, StepCounts } from '../ports/history.ts'
import { totalCounts } from './counts.ts'

/** What `run --json` prints. Times are ISO 8601, UTC. */
export interface RunReport {
  readonly job: string
  readonly generation: string
  readonly runId: string
  readonly trigger: string
  readonly attempt: number
  readonly status: RunStatus
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly durationMs: number | null
  readonly slices: number
  readonly partitions: RunRow['partitions']
  readonly records: number
  /** Records written by sinks. */
  readonly outputs: number
  readonly late: number
  readonly droppedWindows: number
  /** Records of streams that found no row in the table that they are joined with. */
  readonly unmatched: number
  readonly skipped: number
  readonly deadLettered: number
  readonly heldBack: number
  /** Greatest stream time of any step, or null. */
  readonly streamTime: string | null
  /** The record that moved it there: `topic[partition]@offset`. */
  readonly streamTimeBy: string | null
  /** The counters by step. */
  readonly steps: Readonly<Record<string, StepCounts>>
  readonly movedRows: number
  readonly stores: RunRow['stores']
  readonly notices: readonly string[]
  readonly bytes: NonNullable<RunRow['bytes']> | null
  /** How long it was at what, ms. */
  readonly phases: NonNullable<RunRow['phases']> | null
  /** Attempts before the last one. */
  readonly earlier: NonNullable<RunRow['earlier']>
  readonly digests: NonNullable<RunRow['digests']> | null
  readonly jobHash: string
  readonly planHash: string
  readonly error?: RunRow['error']
}

export function runReport(row: RunRow): RunReport {
  return {
    job: row.job,
    generation: row.generation,
    runId: row.runId,
    trigger: row.trigger,
    attempt: row.attempt,
    status: row.status,
    startedAt: new Date(row.startedAt).toISOString(),
    finishedAt: isoOrNull(row.finishedAt),
    durationMs: row.durationMs,
    slices: row.slices,
    partitions: row.partitions,
    records: row.records,
    ...totalCounts(row.steps),
    heldBack: row.heldBack,
    streamTime: isoOrNull(row.streamTime),
    streamTimeBy: row.streamTimeBy,
    steps: row.steps,
    movedRows: row.movedRows,
    stores: row.stores,
    notices: row.notices,
    bytes: row.bytes ?? null,
    phases: row.phases ?? null,
    earlier: row.earlier ?? [],
    digests: row.digests ?? null,
    jobHash: row.jobHash,
    planHash: row.planHash,
    ...(row.error === null ? {} : { error: row.error }),
  }
}

/** A time as ISO 8601 where JavaScript can write it (about 270,000 years either way), else as epoch milliseconds. */
function isoOrNull(time: number | null): string | null {
  if (time === null) return null
  return Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : `@${time}`
}
