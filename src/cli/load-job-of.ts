import { loadJob } from '../compose.ts'
import type { LoadedJob } from '../runtime/loaded-job.ts'
import type { JobOptions } from './job-options.ts'

/** Loads the job that a command line names. */
export function loadJobOf(options: JobOptions): Promise<LoadedJob> {
  return loadJob(options.job, options.jobs, options.stateDir)
}
