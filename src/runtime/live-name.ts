import type { StateDirectory } from '../ports/state-file.ts'

/** The name of a job's live generation as `job.db` has it; undefined before the first run. */
export function liveName(state: Pick<StateDirectory, 'jobs' | 'jobFile'>, job: string): string | undefined {
  if (!state.jobs().includes(job)) return undefined
  const jobFile = state.jobFile(job)
  try {
    return jobFile.generations().find(({ role }) => role === 'live')?.name
  } finally {
    jobFile.close()
  }
}
