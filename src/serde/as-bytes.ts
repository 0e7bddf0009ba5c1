import { type ByteString, fromByteString, toByteString } from '../core/bytes.ts'
import type { Serde } from './serde.ts'

/** Keys of another serde that stay in their bytes: whoever wants them decoded does it. */
export function asBytes(serde: Serde<unknown>): Serde<ByteString> {
  const { format, partitionBytes } = serde
  return Object.freeze({
    format,
    encode: fromByteString,
    decode: toByteString,
    encodeKey: (key: ByteString) => key,
    decodeKey: (bytes: ByteString) => bytes,
    ...(partitionBytes === undefined ? {} : { partitionBytes }),
  })
}
