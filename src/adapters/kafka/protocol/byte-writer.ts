import { writeInt64 } from '../../../wire/int64.ts'

const FIRST_BYTES = 256
/** From here on bytes are left where they are: copying a batch would cost more than writing it as a part of its own. */
const PART_BYTES = 4096

/**
 * Writes the fields of a request in the form of Kafka's flexible versions: lengths are varints, and every structure ends
 * with its tagged fields, of which there are none here.
 */
export class ByteWriter {
  readonly #parts: Buffer[] = []
  #buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  /** What was written, in order: views, of what was given to `blob` too. */
  get parts(): readonly Buffer[] {
    const last = this.#buffer.subarray(0, this.#length)
    return last.length > 0 || this.#parts.length === 0 ? [...this.#parts, last] : this.#parts
  }

  /** What was written, as one. */
  get bytes(): Buffer {
    const { parts } = this
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
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
    this.#copy(bytes)
    return this
  }

  string(value: string | null): this {
    return this.buffer(value === null ? null : Buffer.from(value, 'utf8'))
  }

  buffer(value: Uint8Array | null): this {
    if (value === null) return this.uvarint(0)
    this.uvarint(value.length + 1)
    this.#copy(value)
    return this
  }

  /** Bytes that come in parts; they have to stay as they are until the request is answered. */
  blob(parts: readonly Buffer[]): this {
    this.uvarint(parts.reduce((sum, { length }) => sum + length, 1))
    for (const part of parts) {
      if (part.length >= PART_BYTES) this.#refer(part)
      else this.#copy(part)
    }
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

  #copy(bytes: Uint8Array): void {
    const at = this.#take(bytes.length)
    this.#buffer.set(bytes, at)
  }

  #refer(part: Buffer): void {
    if (this.#length > 0) this.#parts.push(this.#buffer.subarray(0, this.#length))
    this.#parts.push(part)
    this.#buffer = Buffer.allocUnsafe(FIRST_BYTES)
    this.#length = 0
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
