import { type ByteString, type Bytes, fromByteString, toByteString } from '../core/bytes.ts'

/** How values become bytes and come back. `decode(encode(v))` equals `v`; both throw BAD_DATA with a hint. */
export interface Serde<T> {
  /** Decides how stored bytes read, and is compared when a job opens: `string`, `json`, `int64`, ... */
  readonly format: string
  encode(value: T): Uint8Array
  /** Reads the bytes `[start, end)` of `bytes`, and keeps no reference to them. */
  decode(bytes: Uint8Array, start: number, end: number): T
  /** The fast ways for keys. Equal to the others by way of `toByteString` and `fromByteString`. */
  encodeKey?(value: T): ByteString
  decodeKey?(bytes: ByteString): T
  /** The bytes of a value in the form that is cheaper. Equal to those of `encode`. */
  encodeBytes?(value: T): Bytes
  /** The part of a key's bytes that decides its partition. All of them where it is absent. */
  partitionBytes?(bytes: ByteString): ByteString
}

/** The type that a serde reads and writes. */
export type SerdeValue<S> = S extends Serde<infer T> ? T : never

export function encodeBytes<T>(serde: Serde<T>, value: T): Bytes {
  return serde.encodeBytes === undefined ? serde.encode(value) : serde.encodeBytes(value)
}

export function encodeKey<T>(serde: Serde<T>, key: T): ByteString {
  return serde.encodeKey === undefined ? toByteString(serde.encode(key)) : serde.encodeKey(key)
}

export function decodeKey<T>(serde: Serde<T>, bytes: ByteString): T {
  if (serde.decodeKey !== undefined) return serde.decodeKey(bytes)
  return serde.decode(fromByteString(bytes), 0, bytes.length)
}
