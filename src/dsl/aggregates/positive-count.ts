import { invalidJob } from '../../topology/invalid-job.ts'
import { whereOfCall } from '../where-of-call.ts'

/** A whole number of 1 or more. Throws JOB_INVALID for anything else. */
export function positiveCount(count: number, what: string): number {
  if (Number.isSafeInteger(count) && count > 0) return count
  throw invalidJob(whereOfCall(), `${what} cannot keep ${count}`, 'Give a whole number, greater than 0.')
}
