import type { UnfinishedRun } from '../core/checkpoint.ts'
import type { TidemarkError } from '../core/errors.ts'
import { canonicalJson } from '../planner/canonical-json.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { EarlierAttempt, RunRow } from '../ports/history.ts'
import type { LoadedJob } from './loaded-job.ts'

interface NewRun {
  readonly runId: string
  readonly loaded: LoadedJob
  readonly generation: string
  readonly trigger: string
  readonly startedAt: number
  /** Null where no plan could be made. */
  readonly plan: Plan | null
}

/** The row of a run that is about to read. */
export function runningRow(run: NewRun): RunRow {
  const { plan, loaded } = run
  return {
    runId: run.runId,
    job: loaded.job.name,
    generation: run.generation,
    trigger: run.trigger,
    attempt: 1,
    status: 'running',
    startedAt: run.startedAt,
    finishedAt: null,
    durationMs: null,
    jobHash: loaded.hash,
    planHash: plan?.hash ?? '',
    plan: plan === null ? '' : canonicalJson(plan),
    slices: 0,
    records: 0,
    partitions: (plan?.partitions ?? []).map(({ topic, partition, from }) => ({
      topic,
      partition,
      from,
      to: from,
      records: 0,
    })),
    steps: {},
    heldBack: plan?.heldBack ?? 0,
    streamTime: null,
    streamTimeBy: null,
    movedRows: 0,
    notices: plan?.notices ?? [],
    stores: [],
    error: null,
  }
}

/**
 * The row of a run that goes on with what an earlier attempt left. That attempt's number is in the checkpoint too: the row
 * may be of before it.
 */
export function resumedRow(
  before: RunRow,
  left: Pick<UnfinishedRun, 'attempt'>,
  loaded: LoadedJob,
  trigger: string,
): RunRow {
  const row = { ...before, attempt: Math.max(before.attempt, left.attempt) }
  const attempt = row.attempt + 1
  return {
    ...row,
    trigger,
    attempt,
    earlier: [...(row.earlier ?? []), earlierAttempt(row)].slice(-MOST_ATTEMPTS),
    jobHash: loaded.hash,
    status: 'running',
    finishedAt: null,
    durationMs: null,
    error: null,
  }
}

/** A run that never comes to its end shall not fill its row. */
const MOST_ATTEMPTS = 20

function earlierAttempt({ attempt, trigger, status, finishedAt, jobHash, error }: RunRow): EarlierAttempt {
  return { attempt, trigger, status, finishedAt, jobHash, error: error === null ? null : error.code }
}

/** The row of a run that found nothing to read. */
export function idleRow(row: RunRow, finishedAt: number, before: RunRow | undefined): RunRow {
  return {
    ...row,
    status: 'done',
    finishedAt,
    durationMs: finishedAt - row.startedAt,
    streamTime: before?.streamTime ?? null,
    streamTimeBy: before?.streamTimeBy ?? null,
    stores: before?.stores ?? [],
  }
}

export function failedRow(row: RunRow, error: TidemarkError, finishedAt: number): RunRow {
  const interrupted = error.code === 'INTERRUPTED' || error.code === 'TERMINATED'
  return {
    ...row,
    status: interrupted ? 'interrupted' : 'failed',
    finishedAt,
    durationMs: finishedAt - row.startedAt,
    error: error.toJSON(),
  }
}

/** A run whose process ended without a word. */
export function crashedRow(row: RunRow): RunRow {
  return { ...row, status: 'crashed' }
}
