import { type Checkpoint, decodeCheckpoint } from '../../core/checkpoint.ts'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'
import type { Log, TopicDescription } from '../../ports/log.ts'
import type { CommitRecord } from '../../ports/outside.ts'
import type { Job } from '../../topology/job.ts'
import { storeIdentities } from '../stores/topology-stores.ts'
import { changelogTopic } from './changelog-names.ts'
import { type ChangelogOwner, requireFree } from './changelog-owner.ts'

/** Never deleted by time: windows that expire get tombstones. */
export const changelogSettings = { 'cleanup.policy': 'compact' } as const

/** Where the log keeps changelogs, and the job wants them: their names, by store; else null. */
export function changelogsOf(log: Log, job: Job, generation: string): ReadonlyMap<string, string> | null {
  if (!log.keepsChangelogs || !job.settings.changelog) return null
  const names = storeIdentities(job.topology).map(({ name }) => name)
  return new Map(names.map((name) => [name, changelogTopic(job.name, generation, name)]))
}

/** True where every store that the job had at this commit can be restored from a changelog that is there, and whole. */
export async function changelogsReach(
  log: Log,
  job: Job,
  generation: string,
  record: CommitRecord | null,
): Promise<boolean> {
  const topics = changelogsOf(log, job, generation)
  if (topics === null || record === null || record.checkpoint === null) return false
  const checkpoint = decodeCheckpoint(record.checkpoint)
  const wanted = [...topics].filter(([store]) => checkpoint.stores[store] !== undefined)
  const there = new Map((await log.describe(wanted.map(([, topic]) => topic))).map(({ name, id }) => [name, id]))
  return wanted.every(([store, topic]) => isWhole(checkpoint, store, there.get(topic)))
}

/** True where the checkpoint's changelog of a store is the topic that has this id. */
export function isWhole(checkpoint: Checkpoint | null, store: string, topicId: string | undefined): boolean {
  const start = checkpoint?.changelogs?.[store]
  return start !== undefined && start.topicId === topicId
}

/**
 * Makes the changelogs that are missing, and gives those that are there a partition for every task. By topic. Throws
 * CHANGELOG_TAKEN and LEASED where one may be somebody else's: then nothing has changed; CONFIG_INVALID for one whose records
 * expire.
 */
export async function ensureChangelogs(
  log: Log,
  topics: ReadonlyMap<string, string>,
  tasks: number,
  owner: ChangelogOwner,
): Promise<ReadonlyMap<string, TopicDescription>> {
  const there = new Map((await log.describe([...topics.values()])).map((topic) => [topic.name, topic]))
  const requireAllFree = async () => {
    for (const [store, name] of topics) {
      const found = there.get(name)
      if (found !== undefined && !owner.own.has(found.id)) await requireFree(log, found, store, owner)
    }
  }
  await requireAllFree()
  for (const found of there.values()) requireKept(found)
  if ([...topics.values()].some((name) => !owner.own.has(there.get(name)?.id ?? ''))) {
    await owner.claim()
    // Of two jobs that begin at the same moment, one sees the other's claim.
    await requireAllFree()
  }
  for (const [store, name] of topics) {
    const found = there.get(name)
    if (found === undefined) there.set(name, await createChangelog(log, name, tasks, store))
    else if (found.partitions < tasks) await log.admin().alter(name, { partitions: tasks })
  }
  return there
}

async function createChangelog(log: Log, name: string, tasks: number, store: string): Promise<TopicDescription> {
  try {
    return await log.admin().create({ name, partitions: tasks, settings: changelogSettings })
  } catch (error) {
    if (!isTidemarkError(error, 'USAGE') || (await log.describe([name])).length === 0) throw error
    throw new TidemarkError('CHANGELOG_TAKEN', `somebody has made ${name}, the changelog of ${store}, at this moment`, {
      hint: 'Run the job again: whose it is can be told then.',
      at: { step: store, topic: name },
    })
  }
}

function requireKept({ name, settings }: TopicDescription): void {
  const policy = settings['cleanup.policy']
  if (policy === undefined || policy === changelogSettings['cleanup.policy']) return
  throw new TidemarkError('CONFIG_INVALID', `the changelog ${name} has cleanup.policy=${policy}`, {
    at: { topic: name },
    hint: `Its records must stay: kafka-configs.sh --alter --topic ${name} --add-config cleanup.policy=compact`,
  })
}
