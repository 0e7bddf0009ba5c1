import { asBuffer } from '../core/bytes.ts'
import { AT, ATTRIBUTE } from './batch-layout.ts'
import { crc32c } from './crc32c.ts'
import { writeInt64 } from './int64.ts'

/** A producer's place in its sequence, as a send stamps it. */
export interface ProducerStamp {
  readonly producerId: number
  readonly producerEpoch: number
  /** Sequence of the batch's first record; the next batch's is this plus the records, wrapping after 2^31 - 1. */
  readonly baseSequence: number
  readonly transactional: boolean
}

/**
 * Writes the base offset, and the leader epoch where there is one, into the batch's own bytes. Records stay as they are:
 * their offsets are relative, and the checksum does not cover these fields.
 */
export function stampBaseOffset(batch: Uint8Array, baseOffset: number, partitionLeaderEpoch = -1): void {
  const bytes = asBuffer(batch)
  writeInt64(bytes, AT.baseOffset, baseOffset)
  bytes.writeInt32BE(partitionLeaderEpoch, AT.partitionLeaderEpoch)
}

/**
 * The header of a batch as a producer sends it, in memory of its own: the batch is not changed. It takes the place of the
 * first `AT.records` bytes, and has the checksum of the whole.
 */
export function stampedHeader(batch: Uint8Array, stamp: ProducerStamp): Buffer {
  const bytes = asBuffer(batch)
  const header = Buffer.allocUnsafe(AT.records)
  bytes.copy(header, 0, 0, AT.records)
  const attributes = bytes.readUInt16BE(AT.attributes)
  const flag = stamp.transactional ? ATTRIBUTE.transactional : 0
  header.writeUInt16BE((attributes & ~ATTRIBUTE.transactional) | flag, AT.attributes)
  writeInt64(header, AT.producerId, stamp.producerId)
  header.writeInt16BE(stamp.producerEpoch, AT.producerEpoch)
  header.writeInt32BE(stamp.baseSequence, AT.baseSequence)
  const ofHeader = crc32c(header, AT.attributes, AT.records)
  header.writeUInt32BE(crc32c(bytes, AT.records, bytes.length, ofHeader), AT.crc)
  return header
}

/** Writes the checksum of the whole batch that `bytes` are. */
export function stampChecksum(bytes: Buffer): void {
  bytes.writeUInt32BE(crc32c(bytes, AT.attributes, bytes.length), AT.crc)
}
