import { decodeCheckpoint } from '../../core/checkpoint.ts'
import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import { changelogIds } from '../changelog-ids.ts'
import { changelogTopic } from '../changelog-names.ts'
import { isOfAnotherJob } from '../changelog-owner.ts'
import type { Environment } from '../environment.ts'
import { liveCheckpoint } from '../live-checkpoint.ts'
import { readGeneration } from '../read-generation.ts'
import { tryLock } from '../try-lock.ts'
import { isKeptStore } from './kept-store.ts'

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

/** Only those that its file knows by their ids: a topic that merely has the name is somebody else's. */
async function removeChangelogs({ log, state }: Environment, job: string, generation: string): Promise<void> {
  if (!log.keepsChangelogs) return
  const { stores, own } = readGeneration(state, job, generation, (file) => {
    const bytes = file?.checkpoint()?.bytes
    const checkpoint = bytes === undefined ? null : decodeCheckpoint(bytes)
    return { stores: file?.stores() ?? [], own: changelogIds(checkpoint) }
  })
  const live = changelogIds(liveCheckpoint({ state }, job)?.checkpoint ?? null)
  const topics = stores.filter((store) => !isKeptStore(store)).map(({ name }) => changelogTopic(job, generation, name))
  for (const topic of await log.describe(topics)) {
    if (!own.includes(topic.id) || live.includes(topic.id)) continue
    if (!(await isOfAnotherJob(log, topic, job))) await log.admin().delete(topic.name)
  }
}
