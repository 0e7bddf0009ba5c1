import { toByteString } from '../../../src/core/bytes.ts'
import { decodeKey, encodeKey, type Serde } from '../../../src/serde/serde.ts'

/** The value after a way through bytes, decoded from the middle of a larger buffer. */
export function throughBytes<T>(serde: Serde<T>, value: T): T {
  const bytes = serde.encode(value)
  return decodeBytes(serde, bytes)
}

export function decodeBytes<T>(serde: Serde<T>, bytes: Uint8Array): T {
  const around = Buffer.concat([Buffer.from([0xff, 0x22]), bytes, Buffer.from([0x31, 0xff])])
  return serde.decode(around, 2, 2 + bytes.length)
}

/** The value after a way through a key. Fails where a key's fast way and the bytes differ. */
export function throughKey<T>(serde: Serde<T>, value: T): T {
  const key = encodeKey(serde, value)
  if (key !== toByteString(serde.encode(value))) throw new Error('encodeKey and encode differ')
  return decodeKey(serde, key)
}
