import { decodeCheckpoint } from '../../core/checkpoint.ts'
import { isTidemarkError } from '../../core/errors.ts'
import type { StateDirectory } from '../../ports/state-file.ts'
import { changelogIds } from '../changelogs/changelog-ids.ts'
import { changelogTopic } from '../changelogs/changelog-names.ts'
import { isOfAnotherJob } from '../changelogs/changelog-owner.ts'
import type { Environment } from '../environment.ts'
import { liveCheckpoint } from '../live-checkpoint.ts'
import { readGeneration } from '../read-generation.ts'
import { isKeptStore } from './kept-store.ts'

/**
 * Deletes the changelogs of a generation that is not live: those that its file knows by their ids. A topic that merely has the
 * name is somebody else's, and where the file is damaged none is known. To be called under the generation's lock.
 */
export async function removeChangelogs(
  { log, state }: Pick<Environment, 'log' | 'state'>,
  job: string,
  generation: string,
): Promise<void> {
  if (!log.keepsChangelogs) return
  const { stores, own } = knownTo(state, job, generation)
  if (own.length === 0) return
  const live = changelogIds(liveCheckpoint({ state }, job)?.checkpoint ?? null)
  for (const topic of await log.describe(stores.map((store) => changelogTopic(job, generation, store)))) {
    if (!own.includes(topic.id) || live.includes(topic.id)) continue
    if (!(await isOfAnotherJob(log, topic, job))) await log.admin().delete(topic.name)
  }
}

interface Known {
  readonly stores: readonly string[]
  /** Ids of topics. */
  readonly own: readonly string[]
}

function knownTo(state: StateDirectory, job: string, generation: string): Known {
  try {
    return readGeneration(state, job, generation, (file) => {
      const bytes = file?.checkpoint()?.bytes
      const stores = (file?.stores() ?? []).filter((store) => !isKeptStore(store)).map(({ name }) => name)
      return { stores, own: bytes === undefined ? [] : changelogIds(decodeCheckpoint(bytes)) }
    })
  } catch (error) {
    if (!isTidemarkError(error, 'STATE_DAMAGED') && !isTidemarkError(error, 'STATE_INCOMPATIBLE')) throw error
    return { stores: [], own: [] }
  }
}
