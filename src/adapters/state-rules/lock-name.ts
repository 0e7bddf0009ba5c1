import { assertStateName } from './state-name.ts'

/** A lock is of a job, or of one of its generations. */
export interface LockName {
  readonly job: string
  readonly generation: string | undefined
}

/** Reads `job` or `job/generation`. Throws USAGE for anything else. */
export function parseLockName(name: string): LockName {
  const slash = name.indexOf('/')
  const job = slash < 0 ? name : name.slice(0, slash)
  const generation = slash < 0 ? undefined : name.slice(slash + 1)
  assertStateName('job', job)
  if (generation !== undefined) assertStateName('generation', generation)
  return { job, generation }
}
