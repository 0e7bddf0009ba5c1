import { invalidJob } from './invalid-job.ts'
import type { Where } from './nodes.ts'

const MAX_NAME_LENGTH = 200

/** A name that the user gave, as it is. Throws JOB_INVALID unless it is made of letters, digits, `.`, `_` and `-`. */
export function checkedName(name: unknown, what: string, where: Where | null): string {
  if (typeof name !== 'string' || name === '') {
    throw invalidJob(where, `${what} has no name`, "Give it a name as its first argument, as in count('counts').")
  }
  if (!/^[A-Za-z0-9._-]+$/.test(name) || name === '.' || name === '..') {
    throw invalidJob(
      where,
      `${what} cannot be called ${JSON.stringify(name)}`,
      'Use letters, digits, dots, underscores and hyphens.',
    )
  }
  if (name.length <= MAX_NAME_LENGTH) return name
  throw invalidJob(where, `the name of ${what} is longer than ${MAX_NAME_LENGTH} characters`, 'Choose a shorter one.')
}
