import { type ByteString, fromByteString, toByteString } from '../core/bytes.ts'
import { badData } from './bad-data.ts'
import type { Serde } from './serde.ts'

const BYTES: Serde<Uint8Array> = Object.freeze({
  format: 'bytes',
  encode: asBytes,
  decode: (bytes: Uint8Array, start: number, end: number) => new Uint8Array(bytes.subarray(start, end)),
  encodeKey: (value: Uint8Array) => toByteString(asBytes(value)),
  decodeKey: (bytes: ByteString) => new Uint8Array(fromByteString(bytes)),
})

/** Bytes as they are. What is read is a copy; what is written must not be changed afterwards. */
export function bytes(): Serde<Uint8Array> {
  return BYTES
}

function asBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw badData(`bytes() cannot write a value of type ${typeof value}`, 'Give a Uint8Array or a Buffer.')
}
