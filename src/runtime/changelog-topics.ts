import { type Checkpoint, decodeCheckpoint } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Log, TopicDescription } from '../ports/log.ts'
import type { CommitRecord } from '../ports/outside.ts'
import type { Job } from '../topology/job.ts'
import { storeIdentities } from './topology-stores.ts'

/** The topic that holds a store of the live generation outside: a partition for each task. */
export function changelogTopic(job: string, generation: string, store: string): string {
  return `${job}-${generation}-${store}-changelog`
}

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
 * CONFIG_INVALID for one whose records expire.
 */
export async function ensureChangelogs(
  log: Log,
  topics: Iterable<string>,
  tasks: number,
): Promise<ReadonlyMap<string, TopicDescription>> {
  const wanted = [...topics]
  const there = new Map((await log.describe(wanted)).map((topic) => [topic.name, topic]))
  for (const name of wanted) {
    const found = there.get(name)
    if (found === undefined)
      there.set(name, await log.admin().create({ name, partitions: tasks, settings: changelogSettings }))
    else requireKept(found)
    if (found !== undefined && found.partitions < tasks) await log.admin().alter(name, { partitions: tasks })
  }
  return there
}

function requireKept({ name, settings }: TopicDescription): void {
  const policy = settings['cleanup.policy']
  if (policy === undefined || policy === changelogSettings['cleanup.policy']) return
  throw new TidemarkError('CONFIG_INVALID', `the changelog ${name} has cleanup.policy=${policy}`, {
    at: { topic: name },
    hint: `Its records must stay: kafka-configs.sh --alter --topic ${name} --add-config cleanup.policy=compact`,
  })
}
