import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import type { Step } from './step.ts'

/** The step of a stream or table of the same job. Throws JOB_INVALID for another's. */
export function sameJob(one: Step, two: Step, where: Where | null): Step {
  if (one.draft === two.draft) return two
  throw invalidJob(where, 'a stream or table of another job is used', 'Read its topic in this job.')
}
