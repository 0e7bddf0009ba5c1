import { TidemarkError } from '../core/errors.ts'
import { asTidemarkError } from './as-tidemark-error.ts'
import { JobLane } from './job-lane.ts'
import { type LaneOutcome, newOutcome } from './lane-outcome.ts'
import { Places } from './places.ts'
import type { ScheduleEvent } from './schedule-event.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import type { SchedulerEnvironment } from './scheduler-environment.ts'

export interface SchedulerOptions {
  /** Runs what is due and ends. */
  readonly once: boolean
  /** Makes a run of each job at once, due or not. */
  readonly now: boolean
  /** So many runs at once, 1 or more. */
  readonly maxRuns: number
  readonly stop: AbortSignal
  readonly tell: (event: ScheduleEvent) => void
}

/**
 * Has jobs run by their schedules until it is stopped, until no slot comes any more, or, once, until nothing is due. What
 * goes wrong with one job is told, and is in its outcome; the others go on.
 */
export async function runScheduler(
  env: SchedulerEnvironment,
  jobs: readonly ScheduledJob[],
  options: SchedulerOptions,
): Promise<readonly LaneOutcome[]> {
  const places = new Places(options.maxRuns)
  return await Promise.all(jobs.map((job) => runLane(env, job, options, places)))
}

async function runLane(
  env: SchedulerEnvironment,
  job: ScheduledJob,
  options: SchedulerOptions,
  places: Places,
): Promise<LaneOutcome> {
  let lane: JobLane
  try {
    lane = new JobLane(env, job, { ...options, places })
  } catch (thrown) {
    const error = scheduledElsewhere(asTidemarkError(thrown), job)
    options.tell({ kind: 'trouble', job: job.name, error, againAt: null })
    return { ...newOutcome(job.name), status: error.exit, error }
  }
  return await lane.run()
}

function scheduledElsewhere(error: TidemarkError, { name }: ScheduledJob): TidemarkError {
  if (error.code !== 'LOCKED') return error
  return new TidemarkError('LOCKED', `another scheduler has ${name}: ${error.message}`, {
    hint: 'One scheduler at a time has a job. Name other jobs, or end that one.',
    cause: error,
  })
}
