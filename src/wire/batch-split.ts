import { asBuffer } from '../core/bytes.ts'
import type { Place } from '../core/place.ts'
import { type BatchHeader, batchLengthAt, readBatchHeader } from './batch-header.ts'

/** The whole batches at the start of some bytes, and what is left of a batch that was cut off after them. */
export interface SplitBatches {
  readonly headers: readonly BatchHeader[]
  /** Bytes after the last whole batch. */
  readonly cutBytes: number
  /** Bytes of the whole batch that was cut, or 0 when even its length is missing, or nothing was cut. */
  readonly cutBatchBytes: number
}

/**
 * Finds the batches that lie one after the other in `bytes`, without opening them. The last one may be cut, as brokers do
 * at the end of an answer. Throws as `readBatchHeader`.
 */
export function splitBatches(bytes: Uint8Array, where: Place = {}): SplitBatches {
  const buffer = asBuffer(bytes)
  const headers: BatchHeader[] = []
  let position = 0
  while (position < buffer.length) {
    const length = batchLengthAt(buffer, position, where)
    if (length === undefined || position + length > buffer.length) {
      return { headers, cutBytes: buffer.length - position, cutBatchBytes: length ?? 0 }
    }
    headers.push(readBatchHeader(buffer, position, where))
    position += length
  }
  return { headers, cutBytes: 0, cutBatchBytes: 0 }
}

/** The bytes of the batch that a header was read from: a view. */
export function batchBytes(bytes: Uint8Array, header: BatchHeader): Buffer {
  return asBuffer(bytes).subarray(header.position, header.position + header.length)
}
