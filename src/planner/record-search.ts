import { asBuffer } from '../core/bytes.ts'
import type { PartitionRange } from '../core/offsets.ts'
import type { LogReader } from '../ports/log.ts'
import { type BatchHeader, readBatchHeader } from '../wire/batch-header.ts'
import { RecordCursor } from '../wire/record-cursor.ts'

/** What is looked for in a range. */
export interface RecordQuery {
  /** False for a batch whose header tells that nothing in it is wanted: it is not opened. */
  readonly maybe: (header: BatchHeader) => boolean
  readonly wanted: (timestamp: number) => boolean
  /** Visible records to look at, at most; then the search gives up. */
  readonly limit?: number
}

export interface FoundRecord {
  readonly offset: number
  readonly timestamp: number
}

/** Bytes that a search holds ahead: it seldom reads far. */
export const SEARCH_BUFFER_BYTES = 1 << 20

/**
 * The first visible record of range number `index` of `reader` that is wanted. It reads no further than that record's
 * chunk. Throws what the reader throws, and what a damaged batch throws.
 */
export async function findRecord(
  reader: LogReader,
  index: number,
  range: PartitionRange,
  query: RecordQuery,
): Promise<FoundRecord | undefined> {
  const cursor = new RecordCursor()
  const where = { topic: range.topic, partition: range.partition }
  let left = query.limit ?? Number.POSITIVE_INFINITY
  for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
    for (const batch of chunk.batches) {
      if (!query.maybe(readBatchHeader(asBuffer(batch), 0, where))) continue
      cursor.open(batch, where)
      while (cursor.next()) {
        if (cursor.offset < range.from) continue
        if (cursor.offset >= range.to || left-- <= 0) return undefined
        if (query.wanted(cursor.timestamp)) return { offset: cursor.offset, timestamp: cursor.timestamp }
      }
    }
  }
  return undefined
}
