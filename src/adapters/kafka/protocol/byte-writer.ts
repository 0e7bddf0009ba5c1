import { writeInt64 } from '../../../wire/int64.ts'

const FIRST_BYTES = 256

/**
 * Writes the fields of a request in the form of Kafka's flexible versions: lengths are varints, and every structure ends
 * with its tagged fields, of which there are none here.
 */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  /** What was written: a view. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }

  int8(value: number): this {
    const at = this.#take(1)
    this.#buffer.writeInt8(value, at)
    return this
  }

  int16(value: number): this {
    const at = this.#take(2)
    this.#buffer.writeInt16BE(value, at)
    return this
  }

  int32(value: number): this {
    const at = this.#take(4)
    this.#buffer.writeInt32BE(value, at)
    return this
  }

  /** A safe integer. */
  int64(value: number): this {
    const at = this.#take(8)
    writeInt64(this.#buffer, at, value)
    return this
  }

  bool(value: boolean): this {
    return this.int8(value ? 1 : 0)
  }

  uvarint(value: number): this {
    let left = value
    while (left > 0x7f) {
      this.#byte((left & 0x7f) | 0x80)
      left >>>= 7
    }
    this.#byte(left)
    return this
  }

  /** 16 bytes as they are. */
  uuid(bytes: Uint8Array): this {
    const at = this.#take(16)
    this.#buffer.set(bytes, at)
    return this
  }

  string(value: string | null): this {
    return this.buffer(value === null ? null : Buffer.from(value, 'utf8'))
  }

  buffer(value: Uint8Array | null): this {
    if (value === null) return this.uvarint(0)
    this.uvarint(value.length + 1)
    const at = this.#take(value.length)
    this.#buffer.set(value, at)
    return this
  }

  array<T>(values: readonly T[] | null, write: (value: T) => void): this {
    if (values === null) return this.uvarint(0)
    this.uvarint(values.length + 1)
    for (const value of values) write(value)
    return this
  }

  /** The end of a structure. */
  tags(): this {
    return this.uvarint(0)
  }

  #byte(value: number): void {
    const at = this.#take(1)
    this.#buffer[at] = value
  }

  /** Where so many bytes go. There may be another buffer then: take first, write then. */
  #take(bytes: number): number {
    const at = this.#length
    this.#length += bytes
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    return at
  }
}
