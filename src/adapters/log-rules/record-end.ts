import { AT } from '../../wire/batch-layout.ts'
import type { RecordCursor } from '../../wire/record-cursor.ts'
import { readVarint } from '../../wire/varint.ts'

/** Where the first record lies in the bytes of a cursor that has opened a batch and not moved yet. */
export function firstRecordAt(cursor: RecordCursor): number {
  return cursor.header?.codec === 'none' ? AT.records : 0
}

/** The position after the record that starts at `start`. */
export function recordEnd(bytes: Buffer, start: number): number {
  const at = { position: start }
  const length = readVarint(bytes, at, bytes.length)
  return at.position + length
}
