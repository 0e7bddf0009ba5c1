import type { TopicPartition } from '../../../core/offsets.ts'
import type { Isolation } from '../../../ports/log.ts'
import type { BatchHeader } from '../../../wire/batch-header.ts'
import { batchBytes, splitBatches } from '../../../wire/batch-split.ts'
import { readCheckedHeader } from '../../../wire/checked-header.ts'
import { readControlBatch } from '../../../wire/control-record.ts'
import { corruptBatch } from '../../../wire/wire-error.ts'
import type { AbortedTransaction } from '../protocol/fetch.ts'
import { AbortedFilter } from './aborted-filter.ts'

/** What the record bytes of one partition's answer come to. */
export interface VisibleBatches {
  /** Views into the bytes: whole batches that hold records of `[position, to)` which the isolation lets one see. */
  readonly batches: readonly Buffer[]
  /** The position after all whole batches, at most `to`; `position` itself when there is none. */
  readonly nextOffset: number
  /** The leader epoch of the last batch passed; -1 when there is none. */
  readonly lastEpoch: number
}

/**
 * Passes markers, aborted and empty batches, by their headers alone: no record is looked at. Checksums of the batches that
 * nobody will open are checked here; those of the others when they are opened. Throws RECORD_BATCH_CORRUPT and
 * RECORD_BATCH_UNSUPPORTED.
 */
export function visibleBatches(
  records: Buffer,
  aborted: readonly AbortedTransaction[],
  position: number,
  to: number,
  isolation: Isolation,
  where: TopicPartition,
): VisibleBatches {
  const filter = new AbortedFilter(isolation === 'read_committed' ? aborted : [])
  const batches: Buffer[] = []
  let nextOffset = position
  let lastEpoch = -1
  let end = -1
  for (const header of splitBatches(records, where).headers) {
    if (header.baseOffset < end) {
      throw corruptBatch(`its base offset lies before ${end}, where the batch before it ends`, {
        ...where,
        offset: header.baseOffset,
      })
    }
    end = header.nextOffset
    if (header.baseOffset >= to) return { batches, nextOffset: to, lastEpoch }
    const bytes = batchBytes(records, header)
    if (isVisible(header, bytes, filter, where)) {
      if (end > position) batches.push(bytes)
    } else readCheckedHeader(bytes, where)
    if (end <= position) continue
    nextOffset = Math.min(end, to)
    lastEpoch = header.partitionLeaderEpoch
  }
  return { batches, nextOffset, lastEpoch }
}

function isVisible(header: BatchHeader, bytes: Buffer, filter: AbortedFilter, where: TopicPartition): boolean {
  if (!header.isControl) return !filter.isAborted(header) && header.records > 0
  if (filter.isOpen(header) && readControlBatch(bytes, where)?.kind === 'abort') filter.ended(header.producerId)
  return false
}
