import { type ByteString, fromByteString } from '../../core/bytes.ts'
import type { StoreShape } from '../../ports/store-table.ts'

/** What identifies a row of a store. */
export interface RowAddress {
  readonly key: ByteString
  readonly time: number
  readonly ordinal: number
}

const TIME_BYTES = 8
// as wide as a time: the ordinal of a session is its start
const ORDINAL_BYTES = 8

/**
 * The key of a row in its changelog: the store's key, and behind it the time (8 bytes, big-endian) where the store has
 * windows, and the ordinal (8 bytes) where it has rows of one key and time.
 */
export function changelogKey(shape: StoreShape, { key, time, ordinal }: RowAddress): ByteString {
  if (shape === 'key-value') return key
  const tail = Buffer.allocUnsafe(shape === 'window' ? TIME_BYTES : TIME_BYTES + ORDINAL_BYTES)
  tail.writeBigInt64BE(BigInt(time), 0)
  if (shape === 'key-time') tail.writeBigInt64BE(BigInt(ordinal), TIME_BYTES)
  return key + tail.latin1Slice()
}

/** The row that a changelog key identifies. */
export function rowAddress(shape: StoreShape, bytes: ByteString): RowAddress {
  if (shape === 'key-value') return { key: bytes, time: 0, ordinal: 0 }
  const tailBytes = shape === 'window' ? TIME_BYTES : TIME_BYTES + ORDINAL_BYTES
  const key = bytes.slice(0, bytes.length - tailBytes)
  const tail = fromByteString(bytes.slice(bytes.length - tailBytes))
  const time = Number(tail.readBigInt64BE(0))
  return { key, time, ordinal: shape === 'key-time' ? Number(tail.readBigInt64BE(TIME_BYTES)) : 0 }
}
