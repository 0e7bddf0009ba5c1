import type { PartitionRange } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'

export interface RecordVisitor {
  /** The cursor stands on a visible record of the partition inside its range; it moves on afterwards. */
  record(cursor: RecordCursor, partition: number): void
  /** After every chunk, before the next is read. */
  chunk(): Promise<void>
}

/** Reads committed records, one range after the other, each in the order of its offsets. */
export async function readRecords(log: Log, ranges: readonly PartitionRange[], visitor: RecordVisitor): Promise<void> {
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const cursor = new RecordCursor()
  try {
    for (const [index, range] of ranges.entries()) {
      for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
        for (const batch of chunk.batches) visitBatch(cursor, batch, range, visitor)
        await visitor.chunk()
      }
    }
  } finally {
    await reader.close()
  }
}

function visitBatch(cursor: RecordCursor, batch: Uint8Array, range: PartitionRange, visitor: RecordVisitor): void {
  cursor.open(batch, { topic: range.topic, partition: range.partition })
  while (cursor.next()) {
    if (cursor.offset >= range.from && cursor.offset < range.to) visitor.record(cursor, range.partition)
  }
}
