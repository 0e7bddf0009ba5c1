import { type ChangelogStart, type Checkpoint, encodeCheckpoint } from '../../core/checkpoint.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import { parsePartitionKey } from '../../core/offsets.ts'
import type { StagedBatch, TopicDescription } from '../../ports/log.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import { BatchStager } from '../batch-stager.ts'
import { formerChangelogs } from '../changelogs/changelog-ids.ts'
import { changelogKey } from '../changelogs/changelog-key.ts'
import { changelogsOf, ensureChangelogs } from '../changelogs/changelog-topics.ts'
import { endsOf } from '../changelogs/changelogs.ts'
import { promised } from '../promised.ts'
import type { Session } from '../session.ts'
import { storeIdentities } from '../stores/topology-stores.ts'

/**
 * Writes the stores of a generation that has no changelogs whole to the topics that are to be its changelogs, and gives where
 * they begin; null where the log, or the job, keeps none. Nobody reads them before a commit says that they are whole: what
 * an interrupted switch has left there lies before their beginning. `between` is called behind each store. Throws
 * CHANGELOG_TAKEN where a topic of that name is somebody else's, or of the live generation.
 */
export async function writeWholeChangelogs(
  session: Session,
  live: Session,
  between: () => Promise<void>,
): Promise<NonNullable<Checkpoint['changelogs']> | null> {
  const { env, loaded, generation, file } = session
  const topics = changelogsOf(env.log, loaded.job, generation.name)
  if (topics === null) return null
  const tasks = tasksOf(session)
  const there = await ensureChangelogs(env.log, topics, tasks, {
    job: loaded.job.name,
    own: session.changelogIds,
    others: live.changelogIds,
    beginsAnew: false,
    isClaimed: () => live.isClaimed,
    claim: async () => {}, // the live generation has
    now: () => env.clock.now(),
  })
  rememberChangelogs(session, [...there.values()])
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

/** Before anything is written to them, that they are this generation's is known here: a switch that is made anew goes on. */
function rememberChangelogs(session: Session, topics: readonly TopicDescription[]): void {
  const { checkpoint: before, file } = session
  const [run] = file.runs(1)
  if (before === null || run === undefined) throw new Error('a generation that is to be live has committed')
  const known = session.changelogIds
  if (topics.every(({ id }) => known.has(id))) return
  const { formerChangelogs: _, ...kept } = before
  const ids = [...known, ...topics.map(({ id }) => id)]
  const checkpoint = { ...kept, ...formerChangelogs(ids, before.changelogs) }
  const { outbox } = promised(file)
  file.commit({ checkpoint: { token: before.token, bytes: encodeCheckpoint(checkpoint) }, outbox, run, events: [] })
  session.checkpoint = checkpoint
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
