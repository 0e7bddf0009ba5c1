import { isUtf8 } from 'node:buffer'
import { asBuffer, type ByteString, type Bytes, fromByteString, isAscii, utf8ByteString } from '../core/bytes.ts'
import { badData, formatBytes } from './bad-data.ts'

declare global {
  interface String {
    /** False where the text holds half of a surrogate pair. */
    isWellFormed(): boolean
  }
}

const REPLACEMENT = '\ufffd'
/** Up to this length a text is cheaper than the array of its bytes. */
const SHORT = 128

/** The UTF-8 bytes of a text in the form that is cheaper. Throws BAD_DATA for one that has none. */
export function encodeUtf8Bytes(text: string): Bytes {
  return text.length <= SHORT && isAscii(text) ? text : encodeUtf8(text)
}

/** The text of UTF-8 bytes. Throws BAD_DATA for malformed ones: no byte is ever replaced. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const text = asBuffer(bytes).utf8Slice(start, end)
  if (text.includes(REPLACEMENT) && !isUtf8(bytes.subarray(start, end))) throw malformed(bytes, start, end)
  return text
}

/** As `decodeUtf8`, from a byte string. */
export function decodeUtf8Key(bytes: ByteString): string {
  return isAscii(bytes) ? bytes : decodeUtf8(fromByteString(bytes), 0, bytes.length)
}

/** The UTF-8 bytes of a text. Throws BAD_DATA for one that has none (half of a surrogate pair). */
export function encodeUtf8(text: string): Uint8Array {
  assertWellFormed(text)
  return Buffer.from(text, 'utf8')
}

/** As `encodeUtf8`, into a byte string. */
export function encodeUtf8Key(text: string): ByteString {
  if (isAscii(text)) return text
  assertWellFormed(text)
  return utf8ByteString(text)
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return
  throw badData(
    `the text ${JSON.stringify(text.slice(0, 40))} holds half of a surrogate pair, which has no UTF-8 form`,
    'Cut texts between characters, or write the bytes with bytes().',
  )
}

function malformed(bytes: Uint8Array, start: number, end: number): Error {
  return badData(
    `the bytes ${formatBytes(bytes, start, end)} are not UTF-8`,
    'Read binary keys and values with bytes(), and int64 ones with int64().',
  )
}
