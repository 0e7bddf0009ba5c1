import type { ChangelogStart, Checkpoint } from '../../core/checkpoint.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import { parsePartitionKey } from '../../core/offsets.ts'
import type { StagedBatch } from '../../ports/log.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import { BatchStager } from '../batch-stager.ts'
import { changelogKey } from '../changelog-key.ts'
import { changelogsOf, ensureChangelogs } from '../changelog-topics.ts'
import { endsOf } from '../changelogs.ts'
import type { Session } from '../session.ts'
import { storeIdentities } from '../topology-stores.ts'

/**
 * Writes the stores of a generation that has no changelogs whole to the topics that are to be its changelogs, and gives where
 * they begin; null where the log, or the job, keeps none. Nobody reads them before a commit says that they are whole: what
 * an interrupted switch has left there lies before their beginning. `between` is called behind each store.
 */
export async function writeWholeChangelogs(
  session: Session,
  between: () => Promise<void>,
): Promise<NonNullable<Checkpoint['changelogs']> | null> {
  const { env, loaded, generation, file } = session
  const topics = changelogsOf(env.log, loaded.job, generation.name)
  if (topics === null) return null
  const tasks = tasksOf(session)
  const there = await ensureChangelogs(env.log, topics.values(), tasks)
  const starts: Record<string, ChangelogStart> = {}
  for (const identity of storeIdentities(loaded.job.topology)) {
    const topic = topics.get(identity.name) ?? ''
    const { name, shape } = identity
    starts[name] = { topicId: there.get(topic)?.id ?? '', shape, from: await endsOf(env.log, topic, tasks) }
    await env.log.admin().append(wholeStore(file.table(identity), new BatchStager(topic, tasks)))
    await between()
  }
  return starts
}

/** A partition for each task: of an exchange, or of a source. */
function tasksOf({ checkpoint }: Session): number {
  const partitions = Object.keys(checkpoint?.offsets ?? {}).map((key) => parsePartitionKey(key).partition)
  return Math.max(checkpoint?.exchangePartitions ?? 1, ...partitions.map((partition) => partition + 1))
}

function* wholeStore(table: StoreTable, stager: BatchStager): Generator<StagedBatch> {
  for (const row of table.scan({})) {
    stager.appendTo(row.task, changelogKey(table.shape, row), row.value, row.timestamp, NO_HEADERS)
    if (stager.stagedBytes > 0) yield* stager.drain(false)
  }
  yield* stager.drain(true)
}
