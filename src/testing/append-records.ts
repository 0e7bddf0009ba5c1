import { NO_HEADERS } from '../core/headers.ts'
import type { Log, StagedBatch } from '../ports/log.ts'
import { encodeKey } from '../serde/serde.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'
import { BatchWriter } from '../wire/batch-writer.ts'
import { partitionOf } from '../wire/murmur2.ts'
import type { PipedRecord } from './test-record.ts'

/** Appends records to a topic in the order given, one batch for each run of records of one partition. */
export async function appendRecords(
  log: Log,
  topic: TopicSpec,
  records: readonly PipedRecord<unknown, unknown>[],
  now: number,
): Promise<void> {
  const [description] = await log.describe([topic.name])
  const partitions = description?.partitions ?? 1
  const writers = new Map<number, BatchWriter>()
  for (const record of records) {
    const key = record.key === null ? null : encodeKey(topic.key, record.key)
    const partition = record.partition ?? (key === null ? 0 : partitionOf(key, partitions))
    const writer = writers.get(partition) ?? new BatchWriter()
    writers.set(partition, writer)
    const value = record.value === null ? null : topic.value.encode(record.value)
    writer.append(record.timestamp ?? now, key, value, record.headers ?? NO_HEADERS)
  }
  const batches: StagedBatch[] = [...writers].map(([partition, writer]) => {
    const { records } = writer
    return { topic: topic.name, partition, records, bytes: writer.finish() }
  })
  await log.admin().append(batches)
}
