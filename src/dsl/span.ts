import { type Duration, durationMs } from '../core/duration.ts'
import { isTidemarkError } from '../core/errors.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { whereOfCall } from './where-of-call.ts'

/** A span of a job file in whole milliseconds. Throws JOB_INVALID for what is none. */
export function spanMs(duration: Duration, what: string): number {
  try {
    return durationMs(duration, what)
  } catch (error) {
    if (!isTidemarkError(error)) throw error
    throw invalidJob(whereOfCall(), error.message, error.hint ?? "Write a number and a unit, as in '5m'.")
  }
}
