import { partitionsOf } from '../core/offsets.ts'
import type { Log } from '../ports/log.ts'
import { decodeKey } from '../serde/serde.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'
import { RecordCursor } from '../wire/record-cursor.ts'
import type { ReadRecord } from './test-record.ts'

/** The committed records of a topic from `from` on, by partition and offset, decoded. Positions move in `from`. */
export async function readTopic(
  log: Log,
  topic: TopicSpec,
  from: Map<number, number>,
): Promise<ReadRecord<unknown, unknown>[]> {
  const [description] = await log.describe([topic.name])
  if (description === undefined) return []
  const partitions = partitionsOf(topic.name, description.partitions)
  const bounds = await log.bounds(partitions, 'read_committed')
  const ranges = bounds.map(({ partition, start, end }) => ({
    topic: topic.name,
    partition,
    from: Math.min(Math.max(from.get(partition) ?? 0, start), end),
    to: end,
  }))
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const records: ReadRecord<unknown, unknown>[] = []
  const cursor = new RecordCursor()
  try {
    for (const [index, range] of ranges.entries()) {
      for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
        for (const batch of chunk.batches) {
          cursor.open(batch)
          while (cursor.next()) {
            if (cursor.offset >= range.from && cursor.offset < range.to)
              records.push(recordAt(cursor, topic, range.partition))
          }
        }
      }
      from.set(range.partition, range.to)
    }
  } finally {
    await reader.close()
  }
  return records
}

function recordAt(cursor: RecordCursor, topic: TopicSpec, partition: number): ReadRecord<unknown, unknown> {
  const key = cursor.key()
  const { bytes, valueStart, valueEnd, timestamp, offset } = cursor
  return {
    key: key === null ? null : decodeKey(topic.key, key),
    value: valueStart < 0 ? null : topic.value.decode(bytes, valueStart, valueEnd),
    timestamp,
    headers: cursor.headers(),
    partition,
    offset,
  }
}
