import { asBuffer, type ByteString } from '../core/bytes.ts'
import { isTidemarkError, type TidemarkError } from '../core/errors.ts'
import { type Headers, NO_HEADERS } from '../core/headers.ts'
import type { Place } from '../core/place.ts'
import type { BatchHeader } from './batch-header.ts'
import { AT, LEAST_RECORD_BYTES } from './batch-layout.ts'
import { readCheckedHeader } from './checked-header.ts'
import { codecNamed } from './codecs.ts'
import { plainRecords } from './plain-ahead.ts'
import { readHeaders } from './record-headers.ts'
import { readVarint, readVarlong } from './varint.ts'
import { corruptBatch } from './wire-error.ts'

/** What the records of one batch may take when decompressed, unless the cursor is told otherwise. */
const MOST_PLAIN_BYTES = 512 * 1024 * 1024

const NOTHING = Buffer.alloc(0)

/**
 * Reads the records of one batch in place. Open it, then call `next` until it says false; the public fields describe the
 * record that `next` has moved to. It is reused for any number of batches; nothing is allocated for a record unless
 * `key`, `value` or `headers` is called.
 *
 * Positions are into `bytes`: the batch itself when it is not compressed, else memory of its own for each batch. So what
 * was taken from a record stays valid as long as the caller leaves the batch alone, after the next `open` too.
 */
export class RecordCursor {
  offset = 0
  /** Epoch ms, or -1 for none. Of a batch stamped by its broker: the time of its append. */
  timestamp = 0
  bytes: Buffer = NOTHING
  /** The key is `[keyStart, keyEnd)` of `bytes`; -1 for a null key. */
  keyStart = -1
  keyEnd = -1
  /** The value is `[valueStart, valueEnd)` of `bytes`; -1 for a null value. */
  valueStart = -1
  valueEnd = -1
  /** The whole record is `[recordStart, recordEnd)` of `bytes`, its own length included. */
  recordStart = 0
  recordEnd = 0
  /** From here to `recordEnd` are key, value and headers with their lengths: the same bytes in any batch. */
  contentStart = 0
  /** The header of the batch, once `open` has returned. */
  header!: BatchHeader

  private where: Place = {}
  private readonly mostPlainBytes: number
  private readonly at = { position: 0 }
  private position = 0
  private end = 0
  private left = 0
  private baseOffset = 0
  private offsets = 0
  private previousDelta = -1
  private baseTimestamp = 0
  private appendTime = false
  private headerCount = 0
  private headersStart = 0

  constructor(options: { readonly mostPlainBytes?: number } = {}) {
    this.mostPlainBytes = options.mostPlainBytes ?? MOST_PLAIN_BYTES
  }

  /**
   * Takes exactly one batch: checks its format, length and checksum, and decompresses it. `where` completes the place of
   * errors. Throws RECORD_BATCH_CORRUPT, or RECORD_BATCH_UNSUPPORTED for a format or codec that is not read.
   */
  open(batch: Uint8Array, where: Place = {}): void {
    const bytes = asBuffer(batch)
    this.left = 0
    this.where = where
    const header = readCheckedHeader(bytes, where)
    this.header = header
    this.bytes = bytes
    this.position = AT.records
    // Compaction may leave the header of a compressed batch alone, without the empty payload's compressed form.
    if (header.codec !== 'none' && bytes.length > AT.records) this.decompress(bytes, header)
    this.end = this.bytes.length
    if (header.records * LEAST_RECORD_BYTES > this.end - this.position) {
      throw corruptBatch(`${header.records} records do not fit into ${this.end - this.position} bytes`, this.place())
    }
    this.left = header.records
    this.baseOffset = header.baseOffset
    this.offsets = header.nextOffset - header.baseOffset
    this.previousDelta = -1
    this.appendTime = header.logAppendTime
    this.baseTimestamp = header.baseTimestamp
    this.timestamp = header.maxTimestamp
    if (this.left === 0) this.requireEnd()
  }

  /** Moves to the next record. False after the last one. Throws RECORD_BATCH_CORRUPT. */
  next(): boolean {
    if (this.left === 0) return false
    this.recordStart = this.position
    const recordEnd = this.varint() + this.position
    if (recordEnd < this.position || recordEnd > this.end) throw this.corrupt('a record does not fit')
    this.position++
    const timestampDelta = this.varlong()
    if (!this.appendTime) this.timestamp = this.baseTimestamp + timestampDelta
    const offsetDelta = this.varint()
    this.offset = this.baseOffset + offsetDelta

    this.contentStart = this.position
    const keyLength = this.varint()
    if (keyLength < 0) this.keyStart = this.keyEnd = -1
    else {
      this.keyStart = this.position
      this.position = this.keyEnd = this.keyStart + keyLength
    }
    const valueLength = this.varint()
    if (valueLength < 0) this.valueStart = this.valueEnd = -1
    else {
      this.valueStart = this.position
      this.position = this.valueEnd = this.valueStart + valueLength
    }
    this.headerCount = this.varint()
    this.headersStart = this.position
    this.recordEnd = recordEnd

    const left = recordEnd - this.position
    if (left < 0 || (this.headerCount === 0 ? left !== 0 : this.headerCount < 0 || this.headerCount * 2 > left)) {
      throw this.corrupt('its parts do not fill it')
    }
    if (offsetDelta <= this.previousDelta || offsetDelta >= this.offsets) {
      throw this.corrupt('its offset is out of order')
    }
    if (!Number.isSafeInteger(this.timestamp)) {
      throw this.corrupt('its timestamp is outside the range of exact integers')
    }
    this.previousDelta = offsetDelta
    this.position = recordEnd
    if (--this.left === 0) this.requireEnd()
    return true
  }

  key(): ByteString | null {
    return this.keyStart < 0 ? null : this.bytes.latin1Slice(this.keyStart, this.keyEnd)
  }

  /** A view of the value, or null. */
  value(): Uint8Array | null {
    return this.valueStart < 0 ? null : this.bytes.subarray(this.valueStart, this.valueEnd)
  }

  /** The headers in their order; values are views. Throws RECORD_BATCH_CORRUPT. */
  headers(): Headers {
    if (this.headerCount === 0) return NO_HEADERS
    try {
      return readHeaders(this.bytes, this.headersStart, this.recordEnd, this.headerCount)
    } catch (cause) {
      throw corruptBatch('the headers of a record are damaged', this.place(), cause)
    }
  }

  private varint(): number {
    const { bytes, position } = this
    const first = bytes[position] as number
    if (first < 0x80) {
      this.position = position + 1
      return (first >>> 1) ^ -(first & 1)
    }
    const second = bytes[position + 1] as number
    if (second < 0x80) {
      this.position = position + 2
      const raw = (first & 0x7f) | (second << 7)
      return (raw >>> 1) ^ -(raw & 1)
    }
    return this.longer(readVarint)
  }

  private varlong(): number {
    const first = this.bytes[this.position] as number
    if (first < 0x80) {
      this.position++
      return (first >>> 1) ^ -(first & 1)
    }
    return this.longer(readVarlong)
  }

  private longer(read: typeof readVarint): number {
    try {
      this.at.position = this.position
      const value = read(this.bytes, this.at, this.end)
      this.position = this.at.position
      return value
    } catch {
      throw this.corrupt('a number does not end')
    }
  }

  private decompress(batch: Buffer, header: BatchHeader): void {
    const codec = codecNamed(header.codec)
    const known = plainRecords(batch)
    try {
      this.bytes =
        known !== undefined && known.length <= this.mostPlainBytes
          ? known
          : codec.decompress(batch.subarray(AT.records), this.mostPlainBytes)
      this.position = 0
    } catch (cause) {
      if (isTidemarkError(cause)) throw cause.locatedAt(this.place())
      const why = cause instanceof Error ? cause.message : String(cause)
      throw corruptBatch(`its ${codec.name} payload cannot be decompressed: ${why}`, this.place(), cause)
    }
  }

  private requireEnd(): void {
    if (this.position === this.end) return
    throw corruptBatch(`${this.end - this.position} bytes follow its last record`, this.place())
  }

  private corrupt(reason: string): TidemarkError {
    const index = this.header.records - this.left
    this.left = 0
    return corruptBatch(`record ${index} of the batch is damaged: ${reason}`, this.place())
  }

  /** The batch's place: a record's own offset is not to be trusted where one is damaged. */
  private place(): Place {
    return { ...this.where, offset: this.header.baseOffset }
  }
}
