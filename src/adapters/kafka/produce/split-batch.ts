import type { Place } from '../../../core/place.ts'
import { BatchWriter } from '../../../wire/batch-writer.ts'
import { RecordCursor } from '../../../wire/record-cursor.ts'

/** A part of a batch, as a batch. */
export interface BatchPart {
  readonly bytes: Buffer
  readonly records: number
}

/**
 * The batch as two, of about the same size; each has at least one record, and together they have the records in their
 * order. There must be two. Producer fields are not kept. Throws RECORD_BATCH_CORRUPT.
 */
export function splitBatch(batch: Uint8Array, at: Place): readonly [BatchPart, BatchPart] {
  const cursor = new RecordCursor()
  cursor.open(batch, at)
  const { records, codec } = cursor.header
  const writer = new BatchWriter()
  let first: BatchPart | undefined
  for (let number = 1; cursor.next(); number++) {
    writer.append(cursor.timestamp, cursor.key(), cursor.value(), cursor.headers())
    const halfWay = cursor.recordEnd >= cursor.bytes.length / 2 || number === records - 1
    if (first === undefined && halfWay) first = { records: number, bytes: writer.finish(codec) }
  }
  if (first === undefined || writer.records === 0) throw new Error('a batch of one record cannot be split')
  return [first, { records: writer.records, bytes: writer.finish(codec) }]
}
