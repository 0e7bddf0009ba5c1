import { safeOffset } from '../../../core/offsets.ts'
import { readInt64 } from '../../../wire/int64.ts'

/**
 * Reads the fields of an answer in the form of Kafka's flexible versions. Throws a RangeError where the bytes end before
 * the fields do.
 */
export class ByteReader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  int8(): number {
    return this.#bytes.readInt8(this.#pass(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#pass(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#pass(4))
  }

  /** An offset, a time or an id, as an exact number. Throws IO_FAILED for one that is none. */
  int64(): number {
    const at = this.#pass(8)
    this.#require(this.#position)
    return safeOffset(readInt64(this.#bytes, at), 'a number of the broker')
  }

  /** Passes bytes whose value does not matter. */
  skip(bytes: number): void {
    this.#pass(bytes)
  }

  bool(): boolean {
    return this.int8() !== 0
  }

  uvarint(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#pass(1))
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
    throw new RangeError('a length does not end')
  }

  /** 16 bytes: a view. */
  uuid(): Buffer {
    return this.#slice(16)
  }

  string(): string {
    return this.nullableString() ?? ''
  }

  nullableString(): string | null {
    return this.buffer()?.utf8Slice() ?? null
  }

  /** A view into the answer. */
  buffer(): Buffer | null {
    const length = this.uvarint()
    return length === 0 ? null : this.#slice(length - 1)
  }

  /** A null array reads as an empty one. */
  array<T>(read: (reader: ByteReader) => T): T[] {
    const length = this.uvarint()
    const values: T[] = []
    for (let i = 1; i < length; i++) values.push(read(this))
    return values
  }

  /** The end of a structure: tagged fields are given to `read` by number, each with a reader of its own, or passed. */
  tags(read?: (tag: number, field: ByteReader) => void): void {
    for (let left = this.uvarint(); left > 0; left--) {
      const tag = this.uvarint()
      const field = this.#slice(this.uvarint())
      read?.(tag, new ByteReader(field))
    }
  }

  #slice(length: number): Buffer {
    const start = this.#pass(length)
    this.#require(this.#position)
    return this.#bytes.subarray(start, this.#position)
  }

  #pass(length: number): number {
    const at = this.#position
    this.#position += length
    return at
  }

  #require(end: number): void {
    if (end > this.#bytes.length) throw new RangeError(`the answer ends at ${this.#bytes.length}, not at ${end}`)
  }
}
