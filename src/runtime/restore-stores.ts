import { decodeCheckpoint } from '../core/checkpoint.ts'
import type { LogReader } from '../ports/log.ts'
import type { CommitRecord } from '../ports/outside.ts'
import type { StoreIdentity } from '../ports/state-file.ts'
import type { StoreShape } from '../ports/store-table.ts'
import { RecordCursor } from '../wire/record-cursor.ts'
import { rowAddress } from './changelog-key.ts'
import { ChangelogRows } from './changelog-rows.ts'
import { changelogsOf } from './changelog-topics.ts'
import { runningRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { storeIdentities } from './topology-stores.ts'

/**
 * Fills the stores of a session from their changelogs, whole and in one transaction, and takes over the checkpoint of the
 * commit record that they belong to. Where it fails, the state file is as it was.
 */
export async function restoreStores(session: Session, record: CommitRecord | null): Promise<void> {
  const { file, loaded, generation, env } = session
  const topics = changelogsOf(env.log, loaded.job, generation.name)
  if (topics === null || record?.token == null || record.checkpoint === null) return
  const { token, checkpoint: bytes } = record
  const startedAt = env.clock.now()
  file.begin()
  try {
    for (const { name } of file.stores()) file.dropStore(name)
    let rows = 0
    for (const identity of storeIdentities(loaded.job.topology)) {
      rows += await restoreStore(session, identity, topics.get(identity.name) ?? '')
    }
    const now = env.clock.now()
    const run = runningRow({
      runId: token.id,
      loaded,
      generation: generation.name,
      trigger: 'restore',
      startedAt,
      plan: null,
    })
    const notices = [`restored ${rows} changelog records`, ...slowNotice(now - startedAt)]
    const { storeSizes } = decodeCheckpoint(bytes)
    file.commit({
      checkpoint: { token, bytes },
      outbox: { token, endsRun: true, batches: [] },
      run: {
        ...run,
        status: 'done',
        finishedAt: now,
        durationMs: now - startedAt,
        notices,
        stores: Object.entries(storeSizes).map(([name, entries]) => ({ name, entries })),
      },
      events: [],
    })
  } catch (error) {
    file.rollback()
    throw error
  }
}

async function restoreStore(session: Session, identity: StoreIdentity, topic: string): Promise<number> {
  const { log } = session.env
  const table = session.file.table(identity)
  const [description] = await log.describe([topic])
  const partitions = Array.from({ length: description?.partitions ?? 0 }, (_, partition) => ({ topic, partition }))
  const bounds = await log.bounds(partitions, 'read_committed')
  const ranges = bounds.map(({ partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const rows = new ChangelogRows(table)
  let records = 0
  try {
    for (const [index, { partition }] of ranges.entries())
      records += await restorePartition(reader, index, table.shape, rows, partition)
    rows.settle()
  } finally {
    await reader.close()
  }
  return records
}

/** Applies a partition's records in their order: the last one of a row counts, and a tombstone removes it. */
async function restorePartition(
  reader: LogReader,
  index: number,
  shape: StoreShape,
  rows: ChangelogRows,
  task: number,
): Promise<number> {
  const cursor = new RecordCursor()
  let records = 0
  for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
    for (const batch of chunk.batches) {
      cursor.open(batch)
      while (cursor.next()) {
        const key = cursor.key()
        if (key === null) continue
        const address = rowAddress(shape, key)
        const value = cursor.value()
        if (value === null) rows.remove(address, task)
        else rows.put({ ...address, value, timestamp: cursor.timestamp, task })
        records++
      }
    }
  }
  return records
}

/** A restore that takes long says what would avoid it. */
function slowNotice(ms: number): readonly string[] {
  if (ms <= 30_000) return []
  return ['the restore took over 30 seconds: keep the state directory on a persistent volume to avoid it']
}
