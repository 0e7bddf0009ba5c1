import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { tryLock } from '../try-lock.ts'
import { removeChangelogs } from './remove-changelogs.ts'

/**
 * Removes generations that were live, but for the `keep` that were so last: their files, their changelogs, and their rows. One
 * that somebody has open stays for the next time. Gives the names of those that are gone.
 */
export async function cleanGenerations(
  env: Environment,
  job: string,
  jobFile: JobFile,
  keep: number,
): Promise<readonly string[]> {
  const retired = jobFile.generations().filter(({ role }) => role === 'retired')
  const seq = ({ lastToken }: GenerationRow) => lastToken?.seq ?? 0
  const old = retired.toSorted((one, other) => seq(other) - seq(one)).slice(keep)
  const removed: string[] = []
  for (const { name } of old) if (await removeGeneration(env, job, jobFile, name)) removed.push(name)
  return removed
}

/** Removes a generation that is not live; false where somebody has it open. */
export async function removeGeneration(
  env: Environment,
  job: string,
  jobFile: JobFile,
  name: string,
): Promise<boolean> {
  const lock = tryLock(env.locks, `${job}/${name}`, 'clean')
  if (lock === undefined) return false
  try {
    await removeChangelogs(env, job, name)
    env.state.remove(job, name)
    jobFile.removeGeneration(name)
    return true
  } finally {
    lock.release()
  }
}
