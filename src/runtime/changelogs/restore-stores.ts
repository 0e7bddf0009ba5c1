import { type ChangelogStart, type Checkpoint, decodeCheckpoint } from '../../core/checkpoint.ts'
import { formatDuration } from '../../core/duration.ts'
import { type PartitionRange, partitionsOf } from '../../core/offsets.ts'
import type { HistoryEvent } from '../../ports/history.ts'
import type { Log, PartitionBounds } from '../../ports/log.ts'
import type { CommitRecord } from '../../ports/outside.ts'
import type { StoreIdentity } from '../../ports/state-file.ts'
import type { StoreShape } from '../../ports/store-table.ts'
import { runningRow } from '../run-rows.ts'
import type { Session } from '../session.ts'
import { storeIdentities } from '../stores/topology-stores.ts'
import { changelogsOf } from './changelog-topics.ts'
import { requireUnheld } from './require-unheld.ts'
import { restoreTable } from './restore-table.ts'
import { type RestoreProgress, RestoreWatch } from './restore-watch.ts'

/** A restore that takes longer says what would avoid it. */
const SLOW_MS = 30_000

interface RestoredStore {
  readonly identity: StoreIdentity
  readonly ranges: readonly PartitionRange[]
}

/**
 * Fills the stores of a session from their changelogs, whole and in one transaction, and takes over the checkpoint of the
 * commit record that they belong to. Where it fails, the state file is as it was. The lease is kept meanwhile.
 */
export async function restoreStores(
  session: Session,
  record: CommitRecord | null,
  runId: string,
  onRestore?: RestoreProgress,
): Promise<void> {
  if (record?.token == null || record.checkpoint === null) return
  const { token, checkpoint: bytes } = record
  const { file, env } = session
  const startedAt = env.clock.now()
  const stores = await storesToRestore(session, decodeCheckpoint(bytes))
  const offsets = stores.flatMap(({ ranges }) => ranges).reduce((sum, { from, to }) => sum + to - from, 0)
  const watch = new RestoreWatch(session, runId, offsets, onRestore)
  file.begin()
  try {
    for (const { name } of file.stores()) file.dropStore(name)
    let records = 0
    for (const { identity, ranges } of stores) {
      records += await restoreTable(env.log, file.table(identity), ranges, watch)
    }
    file.commit({
      checkpoint: { token, bytes },
      outbox: { token, endsRun: true, batches: [] },
      run: restoreRow(session, record, records, startedAt),
      events: [restoredEvent(decodeCheckpoint(bytes), startedAt)],
    })
  } catch (error) {
    file.rollback()
    throw error
  }
}

/** The stores that the job had at the commit, as they were then: whether it may go on with them is found out later. */
async function storesToRestore({ env, loaded, generation }: Session, checkpoint: Checkpoint): Promise<RestoredStore[]> {
  const topics = changelogsOf(env.log, loaded.job, generation.name)
  const stores: RestoredStore[] = []
  for (const { name, shape } of storeIdentities(loaded.job.topology)) {
    const format = checkpoint.stores[name]
    const start = checkpoint.changelogs?.[name]
    const topic = topics?.get(name)
    if (format === undefined || start === undefined || topic === undefined) continue
    const identity = { name, shape: shapeOf(start, shape), format }
    const bounds = await boundsOf(env.log, topic)
    requireUnheld(bounds, loaded.job.name, name)
    stores.push({ identity, ranges: rangesOf(bounds, start) })
  }
  return stores
}

function shapeOf(start: ChangelogStart, shape: StoreShape): StoreShape {
  const shapes: readonly StoreShape[] = ['key-value', 'window', 'key-time']
  return shapes.find((known) => known === start.shape) ?? shape
}

async function boundsOf(log: Log, topic: string): Promise<readonly PartitionBounds[]> {
  const [description] = await log.describe([topic])
  return log.bounds(partitionsOf(topic, description?.partitions ?? 0), 'read_committed')
}

function rangesOf(bounds: readonly PartitionBounds[], { from }: ChangelogStart): readonly PartitionRange[] {
  return bounds.map(({ topic, partition, start, end }) => {
    return { topic, partition, from: Math.min(Math.max(start, from[partition] ?? 0), end), to: end }
  })
}

function restoreRow({ env, loaded, generation }: Session, record: CommitRecord, records: number, startedAt: number) {
  const finishedAt = env.clock.now()
  const durationMs = finishedAt - startedAt
  const runId = record.token?.id ?? ''
  const row = runningRow({ runId, loaded, generation: generation.name, trigger: 'restore', startedAt, plan: null })
  const { storeSizes } = decodeCheckpoint(record.checkpoint ?? new Uint8Array())
  const stores = Object.entries(storeSizes).map(([name, entries]) => ({ name, entries }))
  const notices = [`restored ${records} changelog records`, ...slowNotice(durationMs)]
  return { ...row, status: 'done', finishedAt, durationMs, notices, stores } as const
}

/** The history begins here: what the changelogs hold does not tell how it came about. */
function restoredEvent({ token, offsets, unfinished }: Checkpoint, at: number): HistoryEvent {
  const detail = { offsets, runUnderWay: unfinished?.runId ?? null }
  return { kind: 'restored', seq: token.seq, runId: token.id, at, detail }
}

function slowNotice(ms: number): readonly string[] {
  if (ms <= SLOW_MS) return []
  return [`the restore took ${formatDuration(ms)}: keep the state directory on a persistent volume to avoid it`]
}
