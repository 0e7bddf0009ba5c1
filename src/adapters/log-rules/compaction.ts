import type { ByteString } from '../../core/bytes.ts'
import type { Place } from '../../core/place.ts'
import { AT, LENGTH_OVERHEAD } from '../../wire/batch-layout.ts'
import { CODEC_ID, CODECS } from '../../wire/codecs.ts'
import { writeInt64 } from '../../wire/int64.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'
import { stampChecksum } from '../../wire/stamp.ts'

/**
 * One partition's compaction, in two passes over its batches: first every batch is noted, in offset order, then each is
 * reduced. Memory is bounded by the number of different keys. Appending meanwhile is no harm: what is appended is newer.
 */
export class Compaction {
  readonly #lastOffsets = new Map<ByteString, number>()
  readonly #cursor = new RecordCursor()
  readonly #at: Place

  constructor(at: Place) {
    this.#at = at
  }

  note(batch: Uint8Array): void {
    const cursor = this.#cursor
    cursor.open(batch, this.#at)
    while (cursor.next()) {
      const key = cursor.key()
      if (key !== null) this.#lastOffsets.set(key, cursor.offset)
    }
  }

  /**
   * The batch with those of its records alone that have the last offset of their key: the same bytes when all are kept,
   * undefined when none is. Base offset, next offset and the records' offsets and timestamps stay.
   */
  reduce(batch: Uint8Array): Uint8Array | undefined {
    const cursor = this.#cursor
    cursor.open(batch, this.#at)
    const parts: Buffer[] = []
    let kept = 0
    let maxTimestamp = -1
    while (cursor.next()) {
      if (!this.#isLast(cursor.key(), cursor.offset)) continue
      parts.push(cursor.bytes.subarray(cursor.recordStart, cursor.recordEnd))
      kept += 1
      maxTimestamp = Math.max(maxTimestamp, cursor.timestamp)
    }
    if (kept === 0) return undefined
    return kept === cursor.header?.records ? batch : rewritten(cursor, batch, parts, maxTimestamp)
  }

  #isLast(key: ByteString | null, offset: number): boolean {
    if (key === null) return false
    const last = this.#lastOffsets.get(key)
    return last === undefined || last <= offset
  }
}

/** A batch with fewer records under the same header, as Kafka's cleaner writes it. */
function rewritten(cursor: RecordCursor, old: Uint8Array, parts: readonly Buffer[], maxTimestamp: number): Buffer {
  const codec = CODECS[CODEC_ID[cursor.header?.codec ?? 'none']]
  const plain = Buffer.concat(parts)
  const payload = codec === undefined || codec.name === 'none' ? plain : codec.compress(plain)
  const batch = Buffer.concat([old.subarray(0, AT.records), payload])
  batch.writeInt32BE(batch.length - LENGTH_OVERHEAD, AT.batchLength)
  writeInt64(batch, AT.maxTimestamp, maxTimestamp)
  batch.writeInt32BE(parts.length, AT.recordCount)
  stampChecksum(batch)
  return batch
}
