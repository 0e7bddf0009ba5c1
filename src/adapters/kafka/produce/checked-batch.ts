import { asBuffer } from '../../../core/bytes.ts'
import type { StagedBatch } from '../../../ports/log.ts'
import { readCheckedHeader } from '../../../wire/checked-header.ts'
import { corruptBatch } from '../../../wire/wire-error.ts'

/** A batch that is whole. Its bytes stay as they are until it is acknowledged. */
export interface CheckedBatch extends StagedBatch {
  readonly bytes: Buffer
}

/** What is sent with a checksum of its own would never be found damaged again: so it is checked. Throws RECORD_BATCH_CORRUPT. */
export function checkedBatch({ topic, partition, bytes, records }: StagedBatch): CheckedBatch {
  const at = { topic, partition }
  const header = readCheckedHeader(bytes, at)
  if (header.isControl) throw corruptBatch('a marker is nothing to append', at)
  if (header.records !== records) throw corruptBatch(`it has ${header.records} records, not ${records}`, at)
  return { topic, partition, records, bytes: asBuffer(bytes) }
}
