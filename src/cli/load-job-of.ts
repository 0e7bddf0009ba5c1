import { hasJobFile, loadJob, openState } from '../compose.ts'
import type { GenerationRow } from '../ports/state-file.ts'
import { jobFileOf } from '../runtime/job-file-of.ts'
import type { LoadedJob } from '../runtime/loaded-job.ts'
import type { JobOptions } from './job-options.ts'

/**
 * Loads the job that a command line names: from the file of its live generation, or of another one that is named. Where
 * that file is gone, the one that the command line finds has taken its place.
 */
export async function loadJobOf(
  { job, jobs, stateDir }: Pick<JobOptions, 'job' | 'jobs' | 'stateDir'>,
  generation?: string,
): Promise<LoadedJob> {
  const named = await loadJob(job, jobs, stateDir)
  const path = jobFileOf(await generationsOf(stateDir, named.job.name), named.path, generation)
  if (path === named.path || !(await hasJobFile(path))) return named
  const loaded = await loadJob(path, jobs, stateDir)
  return loaded.job.name === named.job.name ? loaded : named
}

/** The file that a job's live generation was last run with; undefined before the first run. */
export async function liveJobFile(stateDir: string, job: string): Promise<string | undefined> {
  return (await generationsOf(stateDir, job)).find(({ role }) => role === 'live')?.jobPath
}

async function generationsOf(stateDir: string, job: string): Promise<readonly GenerationRow[]> {
  const state = await openState({ stateDir })
  if (!state.jobs().includes(job)) return []
  const jobFile = state.jobFile(job)
  try {
    return jobFile.generations()
  } finally {
    jobFile.close()
  }
}
