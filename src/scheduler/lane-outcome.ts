import type { TidemarkError } from '../core/errors.ts'

/** What became of a job under a scheduler. */
export interface LaneOutcome {
  readonly job: string
  /** Runs that were done, and that failed for good. */
  readonly done: number
  readonly failed: number
  /** Exit status of the first thing that went wrong; 0 where nothing did. */
  readonly status: number
  /** The report of the last run, if it made one. */
  readonly report: Readonly<Record<string, unknown>> | null
  /** The first slot that was not decided on, epoch ms. */
  readonly next: number | null
  /** Why the job could not be scheduled, or not any more. */
  readonly error: TidemarkError | null
}

/** A job that nothing has happened to yet. */
export function newOutcome(job: string): LaneOutcome {
  return { job, done: 0, failed: 0, status: 0, report: null, next: null, error: null }
}
