import { TidemarkError } from '../../core/errors.ts'
import { partitionsOf } from '../../core/offsets.ts'
import type { RunRow } from '../../ports/history.ts'
import type { Log, PartitionBounds } from '../../ports/log.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'
import { promised } from '../promised.ts'
import type { Session } from '../session.ts'
import { keptStore } from './kept-store.ts'

/** Records between two commits. */
const RECORDS_AT_ONCE = 50_000

/**
 * Writes down in the live generation's file, beside its stores, what it has published to topics that are the job's own: the
 * latest value of each key, as a reader of what is committed sees it. `row` says so in its history.
 */
export async function keepPublished(session: Session, topics: readonly string[], row: RunRow): Promise<void> {
  for (const topic of topics) {
    session.file.dropStore(keptStore(topic).name)
    const table = session.file.table(keptStore(topic))
    const ranges = await boundsOf(session.env.log, topic)
    await keepTopic(session, table, ranges, row)
  }
}

async function boundsOf(log: Log, topic: string): Promise<readonly PartitionBounds[]> {
  const [found] = await log.describe([topic])
  const partitions = partitionsOf(topic, found?.partitions ?? 0)
  const bounds = await log.bounds(partitions, 'read_committed')
  const held = bounds.find(({ end, highWatermark }) => end < highWatermark)
  if (held === undefined) return bounds
  throw new TidemarkError('SWITCH_REFUSED', `somebody has an open transaction on ${topic}, which is the job's own`, {
    hint: 'Find out who else writes there, or wait until the brokers have ended it.',
    at: { topic, partition: held.partition, offset: held.end },
  })
}

async function keepTopic(
  session: Session,
  table: StoreTable,
  bounds: readonly PartitionBounds[],
  row: RunRow,
): Promise<void> {
  const { file, env } = session
  const ranges = bounds.map(({ topic, partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const reader = env.log.reader(ranges, { isolation: 'read_committed' })
  const cursor = new RecordCursor()
  let records = 0
  try {
    file.begin()
    for (const [index, { from, to, partition }] of ranges.entries()) {
      for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
        for (const batch of chunk.batches) {
          cursor.open(batch)
          while (cursor.next()) {
            if (cursor.offset < from || cursor.offset >= to) continue
            keepRecord(table, cursor, partition)
            records++
          }
        }
        if (records < RECORDS_AT_ONCE) continue
        commitKept(file, row)
        records = 0
        await session.renewLease(row.runId)
        await env.clock.yield()
        file.begin()
      }
    }
    commitKept(file, row)
  } catch (error) {
    file.rollback()
    throw error
  } finally {
    await reader.close()
  }
}

function keepRecord(table: StoreTable, cursor: RecordCursor, task: number): void {
  const key = cursor.key()
  if (key === null) return
  const value = cursor.value()
  if (value === null) table.delete(key, 0, 0)
  else table.put({ key, time: 0, ordinal: 0, value, timestamp: cursor.timestamp, task })
}

/** The generation stands where it stood. */
function commitKept(file: StateFile, run: RunRow): void {
  const { checkpoint, outbox } = promised(file)
  file.commit({ checkpoint, outbox, run, events: [] })
}
