import type { ByteString, Bytes } from '../core/bytes.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Headers } from '../core/headers.ts'
import { AT, LENGTH_OVERHEAD, MAGIC, NO_TIMESTAMP } from './batch-layout.ts'
import type { CodecName } from './codec.ts'
import { CODEC_ID, codecNamed } from './codecs.ts'
import { writeInt64 } from './int64.ts'
import { headersSize, writeHeaders } from './record-headers.ts'
import { stampChecksum } from './stamp.ts'
import { writeVarint, writeVarlong, zigzagLongSize, zigzagSize } from './varint.ts'

const FIRST_BYTES = 16 * 1024
/** A batch's length is a signed 32-bit integer; one growing buffer stays well below that. */
const MOST_BYTES = 1024 * 1024 * 1024
/** So that the span from -1 to it, which is what a record stores, is exact too. */
const MOST_TIMESTAMP = Number.MAX_SAFE_INTEGER - 1
/** Up to this length copying in a loop is faster than a call. */
const SHORT = 24

/**
 * Writes record batches, one after the other, byte for byte as the Java client does (compressed ones: equal after
 * decompression). Offsets are relative to base offset 0; there is no producer: both are stamped when a batch is sent.
 */
export class BatchWriter {
  private buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  private position: number = AT.records
  private count = 0
  private baseTimestamp = 0
  private maxTimestamp = NO_TIMESTAMP

  /** Records appended since the last `finish`. */
  get records(): number {
    return this.count
  }

  /** Bytes of the batch so far, uncompressed and with its header, which alone is 61. */
  get sizeBytes(): number {
    return this.position
  }

  /**
   * Adds a record. Epoch ms, -1 for none; it may be less than the one before. Nothing is kept of `value` and `headers`.
   * Throws TIMESTAMP_INVALID for a timestamp that Kafka does not take, OUTPUT_REFUSED for a batch above 1 GiB.
   */
  append(timestamp: number, key: ByteString | null, value: Bytes | null, headers: Headers): void {
    if (!Number.isInteger(timestamp) || timestamp < NO_TIMESTAMP || timestamp > MOST_TIMESTAMP) {
      throw invalidTimestamp(timestamp)
    }
    if (this.count === 0) this.baseTimestamp = timestamp
    const timestampDelta = timestamp - this.baseTimestamp
    const keyLength = key === null ? -1 : key.length
    const valueLength = value === null ? -1 : value.length
    const size =
      1 +
      zigzagLongSize(timestampDelta) +
      zigzagSize(this.count) +
      zigzagSize(keyLength) +
      (key === null ? 0 : keyLength) +
      zigzagSize(valueLength) +
      (value === null ? 0 : valueLength) +
      (headers.length === 0 ? 1 : headersSize(headers))
    const end = this.position + zigzagSize(size) + size
    if (end > this.buffer.length) this.grow(end)

    const bytes = this.buffer
    let next = writeVarint(bytes, this.position, size)
    bytes[next++] = 0
    next = writeVarlong(bytes, next, timestampDelta)
    next = writeVarint(bytes, next, this.count)
    next = writeVarint(bytes, next, keyLength)
    if (key !== null) next = writeText(bytes, next, key)
    next = writeVarint(bytes, next, valueLength)
    if (typeof value === 'string') next = writeText(bytes, next, value)
    else if (value !== null) next = writeValue(bytes, next, value)
    if (headers.length === 0) bytes[next] = 0
    else writeHeaders(bytes, next, headers)
    this.position = end
    this.count++
    if (timestamp > this.maxTimestamp) this.maxTimestamp = timestamp
  }

  /** The batch, in memory of its own; the writer is then empty again. There must be a record. */
  finish(codec: CodecName = 'none'): Buffer {
    if (this.count === 0) throw new Error('a batch without records was finished')
    const batch = this.assemble(codec)
    const { length } = batch
    writeInt64(batch, AT.baseOffset, 0)
    batch.writeInt32BE(length - LENGTH_OVERHEAD, AT.batchLength)
    batch.writeInt32BE(-1, AT.partitionLeaderEpoch)
    batch[AT.magic] = MAGIC
    batch.writeUInt16BE(CODEC_ID[codec], AT.attributes)
    batch.writeInt32BE(this.count - 1, AT.lastOffsetDelta)
    writeInt64(batch, AT.baseTimestamp, this.baseTimestamp)
    writeInt64(batch, AT.maxTimestamp, this.maxTimestamp)
    writeInt64(batch, AT.producerId, -1)
    batch.writeInt16BE(-1, AT.producerEpoch)
    batch.writeInt32BE(-1, AT.baseSequence)
    batch.writeInt32BE(this.count, AT.recordCount)
    stampChecksum(batch)
    this.position = AT.records
    this.count = 0
    this.maxTimestamp = NO_TIMESTAMP
    return batch
  }

  private assemble(codec: CodecName): Buffer {
    if (codec === 'none') return Buffer.from(this.buffer.subarray(0, this.position))
    const payload = codecNamed(codec).compress(this.buffer.subarray(AT.records, this.position))
    const batch = Buffer.allocUnsafe(AT.records + payload.length)
    payload.copy(batch, AT.records)
    return batch
  }

  private grow(needed: number): void {
    if (needed > MOST_BYTES) {
      throw new TidemarkError(
        'OUTPUT_REFUSED',
        `a record batch of ${needed} bytes is above the limit of ${MOST_BYTES}`,
        {
          hint: 'Write smaller values.',
        },
      )
    }
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.position)
    this.buffer = larger
  }
}

function writeText(bytes: Buffer, position: number, text: ByteString): number {
  const { length } = text
  let all = 0
  for (let i = 0; i < length; i++) {
    const byte = text.charCodeAt(i)
    all |= byte
    bytes[position + i] = byte
  }
  // A text that nobody has encoded would lose its upper bytes.
  if (all > 0xff) throw new Error('a key or value is a text, not bytes with one character each')
  return position + length
}

function writeValue(bytes: Buffer, position: number, value: Uint8Array): number {
  const { length } = value
  if (length > SHORT) bytes.set(value, position)
  else for (let i = 0; i < length; i++) bytes[position + i] = value[i] as number
  return position + length
}

function invalidTimestamp(timestamp: number): TidemarkError {
  return new TidemarkError('TIMESTAMP_INVALID', `${timestamp} is not a record timestamp`, {
    hint: 'A record timestamp is in whole milliseconds from 1970 on.',
  })
}
