import { asBuffer } from '../../../core/bytes.ts'
import type { StagedBatch } from '../../../ports/log.ts'
import { readCheckedHeader } from '../../../wire/checked-header.ts'
import { corruptBatch } from '../../../wire/wire-error.ts'

/** A batch in memory of its own. */
export interface OwnBatch extends StagedBatch {
  readonly bytes: Buffer
}

/**
 * The batch in memory of its own, where it may be stamped. It is checked first: what a stamp writes a new checksum over
 * would never be found damaged again. Throws RECORD_BATCH_CORRUPT.
 */
export function ownBatch({ topic, partition, bytes, records }: StagedBatch): OwnBatch {
  const at = { topic, partition }
  const header = readCheckedHeader(bytes, at)
  if (header.isControl) throw corruptBatch('a marker is nothing to append', at)
  if (header.records !== records) throw corruptBatch(`it has ${header.records} records, not ${records}`, at)
  return { topic, partition, records, bytes: Buffer.from(asBuffer(bytes)) }
}
