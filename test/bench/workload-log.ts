import { SqliteLog } from '../../src/adapters/sqlite/log/log.ts'
import { NO_HEADERS } from '../../src/core/headers.ts'
import type { StagedBatch } from '../../src/ports/log.ts'
import { BatchWriter } from '../../src/wire/batch-writer.ts'
import { partitionOf } from '../../src/wire/murmur2.ts'

const BATCH_BYTES = 64_000
const START = 1_760_000_000_000
/** Mean distance of two events, ms. */
const STEP_MS = 20

export interface Workload {
  readonly records: number
  readonly keys: number
  readonly partitions: number
  /** Records that are there already: these go on behind them. */
  readonly skip?: number
}

/** Appends events as the measured jobs read them, and users with their countries, to an embedded log that is made. */
export async function appendWorkload(path: string, workload: Workload): Promise<void> {
  const log = SqliteLog.open(path)
  const admin = log.admin()
  try {
    const { partitions, keys, skip = 0 } = workload
    if (skip === 0) {
      await admin.create({ name: 'topic', partitions })
      await admin.create({ name: 'users_topic', partitions })
      await admin.append(batches('users_topic', partitions, users(keys)))
    }
    await admin.append(batches('topic', partitions, events(workload)))
  } finally {
    await log.close()
  }
}

type Written = readonly [key: string, value: string, timestamp: number]

function* users(keys: number): Generator<Written> {
  for (let n = 0; n < keys; n++) yield [`user-${n}`, `{"name":"user-${n}","country":"country-${n % 50}"}`, START - 1]
}

function* events({ records, keys, skip = 0 }: Workload): Generator<Written> {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let n = 0; n < skip + records; n++) {
    const key = `user-${Math.floor(random() * keys)}`
    const cents = Math.floor(random() * 10_000)
    const late = random() < 0.1 ? Math.floor(random() * 60_000) : 0
    const ts = START + 60_000 + n * STEP_MS - late
    if (n >= skip) yield [key, `{"user":"${key}","page":"/item/${n % 1000}","amount":${cents / 100},"ts":${ts}}`, ts]
  }
}

function* batches(topic: string, partitions: number, records: Iterable<Written>): Generator<StagedBatch> {
  const writers = Array.from({ length: partitions }, () => new BatchWriter())
  const batch = (writer: BatchWriter, partition: number): StagedBatch => {
    const { records } = writer
    return { topic, partition, records, bytes: writer.finish() }
  }
  for (const [key, value, timestamp] of records) {
    const partition = partitionOf(key, partitions)
    const writer = writers[partition] as BatchWriter
    writer.append(timestamp, key, value, NO_HEADERS)
    if (writer.sizeBytes >= BATCH_BYTES) yield batch(writer, partition)
  }
  for (const [partition, writer] of writers.entries()) if (writer.records > 0) yield batch(writer, partition)
}
