import { type Header, type Headers, NO_HEADERS } from '../core/headers.ts'
import type { Serde } from './serde.ts'

/** A record that waits in a store: its value, and the headers that it is to go on with. */
export interface Buffered<T> {
  readonly value: T
  readonly headers: Headers
}

const NULL_LENGTH = -1

/**
 * Waiting records as bytes: the number of headers (u32); for each its name and its value, each behind its length (i32, -1
 * for null); then the value as `serde` writes it. A record without headers has four bytes 00 in front of its value.
 */
export function buffered<T>(serde: Serde<T>): Serde<Buffered<T>> {
  return Object.freeze({
    format: `${serde.format} with headers`,
    encode: ({ value, headers }: Buffered<T>): Uint8Array => {
      const parts: Uint8Array[] = [int32(headers.length)]
      for (const [name, bytes] of headers) {
        const text = Buffer.from(name, 'utf8')
        parts.push(int32(text.length), text, int32(bytes === null ? NULL_LENGTH : bytes.length))
        if (bytes !== null) parts.push(bytes)
      }
      parts.push(serde.encode(value))
      return Buffer.concat(parts)
    },
    decode: (bytes: Uint8Array, start: number, end: number): Buffered<T> => {
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      const count = view.getInt32(start)
      let at = start + 4
      const take = (): Uint8Array | null => {
        const length = view.getInt32(at)
        at += 4
        if (length === NULL_LENGTH) return null
        at += length
        return new Uint8Array(bytes.subarray(at - length, at))
      }
      const headers: Header[] = []
      for (let i = 0; i < count; i++) headers.push([Buffer.from(take() ?? []).toString('utf8'), take()])
      return { value: serde.decode(bytes, at, end), headers: count === 0 ? NO_HEADERS : headers }
    },
  })
}

function int32(number: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(number)
  return bytes
}
