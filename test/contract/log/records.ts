import { expect } from 'vitest'
import type { Headers } from '../../../src/core/headers.ts'
import type { PartitionRange, TopicPartition } from '../../../src/core/offsets.ts'
import type { Chunk, Isolation, Log, ReadOptions, StagedBatch } from '../../../src/ports/log.ts'
import { readBatchHeader } from '../../../src/wire/batch-header.ts'
import { AT } from '../../../src/wire/batch-layout.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'

export interface TestRecord {
  readonly key: string | null
  readonly value: string | null
  readonly timestamp: number
  readonly headers?: Headers
}

/** `a→1 @5`: keys and values are byte strings. */
export function record(
  key: string | null,
  value: string | null = '1',
  timestamp = 1000,
  headers?: Headers,
): TestRecord {
  return { key, value, timestamp, ...(headers === undefined ? {} : { headers }) }
}

export function batchOf(at: TopicPartition, records: readonly TestRecord[], codec: CodecName = 'none'): StagedBatch {
  const writer = new BatchWriter()
  for (const { key, value, timestamp, headers = [] } of records) {
    writer.append(timestamp, key, value === null ? null : Buffer.from(value, 'latin1'), headers)
  }
  return { topic: at.topic, partition: at.partition, bytes: writer.finish(codec), records: records.length }
}

/** One batch for each record. */
export function singles(at: TopicPartition, records: readonly TestRecord[]): StagedBatch[] {
  return records.map((each) => batchOf(at, [each]))
}

/** A batch of `offsets` positions and no record, as compaction leaves it. */
export function emptyBatch(at: TopicPartition, offsets: number): StagedBatch {
  const bytes = Buffer.from(batchOf(at, [record('a')]).bytes.subarray(0, AT.records))
  bytes.writeInt32BE(bytes.length - AT.partitionLeaderEpoch, AT.batchLength)
  bytes.writeInt32BE(offsets - 1, AT.lastOffsetDelta)
  bytes.writeInt32BE(0, AT.recordCount)
  stampChecksum(bytes)
  return { topic: at.topic, partition: at.partition, bytes, records: 0 }
}

export interface ReadRecord extends TestRecord {
  readonly offset: number
  readonly headers: Headers
}

/** The records of chunks that lie in `[from, to)`. */
export function recordsOf(chunks: readonly Chunk[], from: number, to: number): ReadRecord[] {
  const cursor = new RecordCursor()
  const records: ReadRecord[] = []
  for (const chunk of chunks) {
    for (const batch of chunk.batches) {
      cursor.open(batch)
      while (cursor.next()) {
        if (cursor.offset < from || cursor.offset >= to) continue
        const value = cursor.value()
        records.push({
          offset: cursor.offset,
          key: cursor.key(),
          value: value === null ? null : Buffer.from(value).toString('latin1'),
          timestamp: cursor.timestamp,
          headers: cursor.headers().map(([name, bytes]) => [name, bytes && Buffer.from(bytes)]),
        })
      }
    }
  }
  return records
}

/** Reads a range to its end, and holds every chunk to what the port promises of it. */
export async function readChunks(log: Log, range: PartitionRange, options: ReadOptions): Promise<Chunk[]> {
  const reader = log.reader([range], options)
  const chunks: Chunk[] = []
  let position = range.from
  try {
    for (;;) {
      const chunk = await reader.next(0)
      if (chunk === undefined) break
      expect(chunk.nextOffset).toBeGreaterThan(position)
      expect(chunk.nextOffset).toBeLessThanOrEqual(range.to)
      const offsets = recordsOf([chunk], 0, Number.MAX_SAFE_INTEGER).map(({ offset }) => offset)
      expect(offsets).toEqual([...offsets].sort((left, right) => left - right))
      for (const batch of chunk.batches) {
        const { baseOffset, nextOffset } = readBatchHeader(Buffer.from(batch))
        expect(nextOffset).toBeGreaterThan(position)
        expect(baseOffset).toBeLessThan(chunk.nextOffset)
      }
      position = chunk.nextOffset
      chunks.push(chunk)
    }
    expect(position).toBe(Math.max(range.to, range.from))
    expect(await reader.next(0)).toBeUndefined()
  } finally {
    await reader.close()
  }
  return chunks
}

export async function readRange(
  log: Log,
  range: PartitionRange,
  options: Partial<ReadOptions> & { isolation?: Isolation } = {},
): Promise<ReadRecord[]> {
  return recordsOf(await readChunks(log, range, { isolation: 'read_committed', ...options }), range.from, range.to)
}

/** All that a reader of committed records sees of a partition now. */
export async function readAll(log: Log, at: TopicPartition): Promise<ReadRecord[]> {
  const [bounds] = await log.bounds([at], 'read_committed')
  if (bounds === undefined) throw new Error('bounds are given in the order asked')
  return readRange(log, { ...at, from: bounds.start, to: bounds.end })
}

/** `3 a=1 @1000`, or with `∅` for null. */
export function shown({ offset, key, value, timestamp }: ReadRecord): string {
  return `${offset} ${key ?? '∅'}=${value ?? '∅'} @${timestamp}`
}
