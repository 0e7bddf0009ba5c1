import { type ByteString, fromByteString, toByteString } from '../../core/bytes.ts'
import { decodeKey, encodeKey, type Serde } from '../serde.ts'

/** The key of a subscription: the foreign key first, so that all who want one row lie together, by their own keys. */
export interface CombinedKey {
  readonly foreignKey: unknown
  readonly key: unknown
}

/** The bytes with which every combined key of this foreign key begins: its length (u32), then itself. */
export function foreignPrefix(foreignKey: ByteString): ByteString {
  const { length } = foreignKey
  return String.fromCharCode(length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff) + foreignKey
}

export function combinedKey(foreignKey: ByteString, key: ByteString): ByteString {
  return foreignPrefix(foreignKey) + key
}

/** The foreign key's part of a combined key's bytes: what `foreignPrefix` makes of it. */
export function prefixOfCombined(bytes: ByteString): ByteString {
  return bytes.slice(0, startOfKey(bytes))
}

/** The row's own key, of a combined key's bytes. */
export function keyOfCombined(bytes: ByteString): ByteString {
  return bytes.slice(startOfKey(bytes))
}

export function combinedKeySerde(foreignKey: Serde<unknown>, key: Serde<unknown>): Serde<CombinedKey> {
  const encode = (combined: CombinedKey): ByteString =>
    combinedKey(encodeKey(foreignKey, combined.foreignKey), encodeKey(key, combined.key))
  const decode = (bytes: ByteString): CombinedKey => ({
    foreignKey: decodeKey(foreignKey, bytes.slice(4, startOfKey(bytes))),
    key: decodeKey(key, keyOfCombined(bytes)),
  })
  return Object.freeze({
    format: `${foreignKey.format} and ${key.format}`,
    encode: (combined: CombinedKey) => fromByteString(encode(combined)),
    decode: (bytes: Uint8Array, start: number, end: number) => decode(toByteString(bytes, start, end)),
    encodeKey: encode,
    decodeKey: decode,
  })
}

function startOfKey(bytes: ByteString): number {
  const byte = (at: number) => bytes.charCodeAt(at)
  return 4 + byte(0) * 2 ** 24 + (byte(1) << 16) + (byte(2) << 8) + byte(3)
}
