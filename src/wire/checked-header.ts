import { asBuffer } from '../core/bytes.ts'
import type { Place } from '../core/place.ts'
import { type BatchHeader, readBatchHeader, wholeBatchAt } from './batch-header.ts'
import { AT } from './batch-layout.ts'
import { crc32c } from './crc32c.ts'
import { readInt64 } from './int64.ts'
import { corruptBatch } from './wire-error.ts'

/**
 * The header of exactly one batch, whose length, format and checksum are right; its records are not looked at. Throws
 * RECORD_BATCH_CORRUPT, or RECORD_BATCH_UNSUPPORTED for a format or codec that is not read.
 */
export function readCheckedHeader(batch: Uint8Array, where: Place = {}): BatchHeader {
  const bytes = asBuffer(batch)
  const length = wholeBatchAt(bytes, 0, where)
  if (length !== bytes.length) throw corruptBatch(`${bytes.length - length} bytes follow the batch`, where)
  // Before the fields that the checksum covers: a damaged codec number is damage, not a codec that is not known.
  if (crc32c(bytes, AT.attributes, length) !== bytes.readUInt32BE(AT.crc)) {
    const offset = readInt64(bytes, AT.baseOffset)
    throw corruptBatch('its checksum does not match its bytes', { ...where, offset })
  }
  return readBatchHeader(bytes, 0, where)
}
