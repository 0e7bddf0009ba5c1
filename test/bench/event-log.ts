import { SqliteLog } from '../../src/adapters/sqlite/log/log.ts'
import { NO_HEADERS } from '../../src/core/headers.ts'
import type { StagedBatch } from '../../src/ports/log.ts'
import { BatchWriter } from '../../src/wire/batch-writer.ts'
import { partitionOf } from '../../src/wire/murmur2.ts'

const PARTITIONS = 4
const BATCH_BYTES = 64_000
const VALUE = Buffer.from('{"user":"somebody","page":"/shop/item/17","amount":12.5}')

/** Which keys the events have: each of them once in turn, or drawn at random. */
export type KeyOrder = 'each-in-turn' | 'random'

/** Appends events to the topic `events` of an embedded log, and makes the log where there is none. */
export async function appendEvents(path: string, records: number, keys: number, order: KeyOrder): Promise<void> {
  const log = SqliteLog.open(path)
  const admin = log.admin()
  try {
    const made = await log.describe(['events']).catch(() => [])
    if (made.length === 0) await admin.create({ name: 'events', partitions: PARTITIONS })
    await admin.append(batches(records, keys, order))
  } finally {
    await log.close()
  }
}

/** The keys of events, in order. */
export function* keysOf(records: number, keys: number, order: KeyOrder): Generator<string> {
  let state = 1
  for (let number = 0; number < records; number++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield `user-${order === 'random' ? Math.floor((state / 2 ** 32) * keys) : number % keys}`
  }
}

function* batches(records: number, keys: number, order: KeyOrder): Generator<StagedBatch> {
  const writers = Array.from({ length: PARTITIONS }, () => new BatchWriter())
  const batch = (writer: BatchWriter, partition: number): StagedBatch => {
    const { records } = writer
    return { topic: 'events', partition, records, bytes: writer.finish() }
  }
  let number = 0
  for (const key of keysOf(records, keys, order)) {
    const partition = partitionOf(key, PARTITIONS)
    const writer = writers[partition] as BatchWriter
    writer.append(1_760_000_000_000 + number++, key, VALUE, NO_HEADERS)
    if (writer.sizeBytes >= BATCH_BYTES) yield batch(writer, partition)
  }
  for (const [partition, writer] of writers.entries()) if (writer.records > 0) yield batch(writer, partition)
}
