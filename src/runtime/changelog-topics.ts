import type { Log } from '../ports/log.ts'
import type { Job } from '../topology/job.ts'
import { storeIdentities } from './topology-stores.ts'

/** The topic that holds a store of the live generation outside: a partition for each task. */
export function changelogTopic(job: string, generation: string, store: string): string {
  return `${job}-${generation}-${store}-changelog`
}

/** Never deleted by time: windows that expire get tombstones. */
const SETTINGS = { 'cleanup.policy': 'compact' } as const

/** Where the log keeps changelogs: the names of a job's, by store; else null. */
export function changelogsOf(log: Log, job: Job, generation: string): ReadonlyMap<string, string> | null {
  if (!log.keepsChangelogs) return null
  const names = storeIdentities(job.topology).map(({ name }) => name)
  return new Map(names.map((name) => [name, changelogTopic(job.name, generation, name)]))
}

/** True where every store of the job can be restored from a changelog that is there. */
export async function changelogsReach(log: Log, job: Job, generation: string): Promise<boolean> {
  const wanted = changelogsOf(log, job, generation)
  if (wanted === null) return false
  return (await log.describe([...wanted.values()])).length === wanted.size
}

/** Makes the changelogs that are missing, and gives those that are there a partition for every task. */
export async function ensureChangelogs(log: Log, topics: Iterable<string>, tasks: number): Promise<void> {
  const wanted = [...topics]
  const there = new Map((await log.describe(wanted)).map(({ name, partitions }) => [name, partitions]))
  for (const name of wanted) {
    const partitions = there.get(name)
    if (partitions === undefined) await log.admin().create({ name, partitions: tasks, settings: SETTINGS })
    else if (partitions < tasks) await log.admin().alter(name, { partitions: tasks })
  }
}
