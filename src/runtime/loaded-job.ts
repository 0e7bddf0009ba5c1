import type { Job } from '../topology/job.ts'

/** A job with where it came from. */
export interface LoadedJob {
  readonly job: Job
  /** Path of the job file, or a name for a job that is not in a file. */
  readonly path: string
  /** Hash of the job file's text. */
  readonly hash: string
}
