import { asBuffer } from '../core/bytes.ts'
import type { Place } from '../core/place.ts'
import { AT, ATTRIBUTE, LEAST_RECORD_BYTES, LENGTH_OVERHEAD, MAGIC } from './batch-layout.ts'
import type { CodecName } from './codec.ts'
import { CODECS } from './codecs.ts'
import { readInt64 } from './int64.ts'
import { corruptBatch, unsupportedBatch } from './wire-error.ts'

/** What a batch says about itself. Times are epoch ms; -1 is Kafka's "none" for ids, epochs, sequences and times. */
export interface BatchHeader {
  /** Where the batch starts in the bytes it was read from, and its whole length there. */
  readonly position: number
  readonly length: number
  readonly baseOffset: number
  /** The position after the batch: what follows has this offset or a greater one. */
  readonly nextOffset: number
  readonly baseTimestamp: number
  readonly maxTimestamp: number
  /** True when every record's timestamp is `maxTimestamp`. */
  readonly logAppendTime: boolean
  /** Records it holds: 0 where compaction has left only the header. */
  readonly records: number
  readonly codec: CodecName
  readonly isControl: boolean
  readonly isTransactional: boolean
  readonly producerId: number
  readonly producerEpoch: number
  readonly baseSequence: number
  readonly partitionLeaderEpoch: number
}

/**
 * The bytes of the batch at `position`, its own 12 leading ones included; undefined when not even its length is there.
 * The batch may reach past the end of `bytes`. Throws RECORD_BATCH_CORRUPT for a length that no batch has.
 */
export function batchLengthAt(bytes: Buffer, position: number, where: Place = {}): number | undefined {
  if (position + LENGTH_OVERHEAD > bytes.length) return undefined
  const length = bytes.readInt32BE(position + AT.batchLength) + LENGTH_OVERHEAD
  // Older formats are shorter; `magic` tells them apart, and it lies inside this least length.
  if (length <= AT.crc) throw corruptBatch(`a batch of ${length} bytes cannot be`, where)
  return length
}

/**
 * Reads the header of the whole batch at `position` without opening it: neither checksum nor records are looked at.
 * Throws RECORD_BATCH_CORRUPT for what no writer writes, RECORD_BATCH_UNSUPPORTED for another format or codec.
 */
export function readBatchHeader(source: Uint8Array, position = 0, where: Place = {}): BatchHeader {
  const bytes = asBuffer(source)
  const length = wholeBatchAt(bytes, position, where)
  const baseOffset = exact(readInt64(bytes, position + AT.baseOffset), 'base offset', where)
  const at = { ...where, offset: baseOffset }
  if (baseOffset < 0) throw corruptBatch(`its base offset is ${baseOffset}`, at)
  const attributes = bytes.readUInt16BE(position + AT.attributes)
  const lastOffsetDelta = bytes.readInt32BE(position + AT.lastOffsetDelta)
  const records = bytes.readInt32BE(position + AT.recordCount)
  const codec = CODECS[attributes & ATTRIBUTE.codec]
  if (codec === undefined) {
    const hint = 'Read this topic with a newer Tidemark, or write it again with gzip, snappy, lz4 or zstd.'
    throw unsupportedBatch(`compression codec ${attributes & ATTRIBUTE.codec} is not known`, hint, at)
  }
  if (lastOffsetDelta < 0) throw corruptBatch(`its offsets end ${lastOffsetDelta} after its base offset`, at)
  // One offset, one record; uncompressed records have a least size too.
  const mostRecords = codec.name === 'none' ? (length - AT.records) / LEAST_RECORD_BYTES : Number.POSITIVE_INFINITY
  if (records < 0 || records > lastOffsetDelta + 1 || records > mostRecords) {
    throw corruptBatch(`${records} records do not fit into ${lastOffsetDelta + 1} offsets and ${length} bytes`, at)
  }
  return {
    position,
    length,
    baseOffset,
    nextOffset: exact(baseOffset + lastOffsetDelta + 1, 'next offset', at),
    baseTimestamp: exact(readInt64(bytes, position + AT.baseTimestamp), 'base timestamp', at),
    maxTimestamp: exact(readInt64(bytes, position + AT.maxTimestamp), 'maximum timestamp', at),
    logAppendTime: (attributes & ATTRIBUTE.logAppendTime) !== 0,
    records,
    codec: codec.name,
    isControl: (attributes & ATTRIBUTE.control) !== 0,
    isTransactional: (attributes & ATTRIBUTE.transactional) !== 0,
    producerId: exact(readInt64(bytes, position + AT.producerId), 'producer id', at),
    producerEpoch: bytes.readInt16BE(position + AT.producerEpoch),
    baseSequence: bytes.readInt32BE(position + AT.baseSequence),
    partitionLeaderEpoch: bytes.readInt32BE(position + AT.partitionLeaderEpoch),
  }
}

/** The length of the batch at `position`, which is whole and of the format that is read here. Throws otherwise. */
export function wholeBatchAt(bytes: Buffer, position: number, where: Place): number {
  const length = batchLengthAt(bytes, position, where)
  if (length === undefined || position + length > bytes.length) {
    const wanted = length === undefined ? '' : ` of ${length}`
    throw corruptBatch(`only ${bytes.length - position} bytes${wanted} are there: the batch is cut`, where)
  }
  const at = { ...where, offset: readInt64(bytes, position + AT.baseOffset) }
  requireMagic(bytes[position + AT.magic] as number, at)
  if (length < AT.records) throw corruptBatch(`a batch of ${length} bytes cannot be`, at)
  return length
}

function requireMagic(magic: number, at: Place): void {
  if (magic === MAGIC) return
  if (magic > MAGIC) throw corruptBatch(`its format number is ${magic}, which does not exist`, at)
  const hint = 'Copy the topic with a client of Kafka 0.11 or later, and read the copy.'
  throw unsupportedBatch(`it is in the message format ${magic}, from before Kafka 0.11`, hint, at)
}

function exact(value: number, what: string, at: Place): number {
  if (Number.isSafeInteger(value)) return value
  throw corruptBatch(`its ${what} ${value} is outside the range of exact integers`, at)
}
