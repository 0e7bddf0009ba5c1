/**
 * Bytes as a string with one character (U+0000 to U+00FF) for each byte. Keys travel in this form: it can be hashed,
 * compared and concatenated, an ASCII key is its own text, and JavaScript's string order is byte order.
 */
export type ByteString = string & { readonly [byteString]?: never }
declare const byteString: unique symbol

/** Bytes in either form. Short texts are cheaper as byte strings, all else as arrays. */
export type Bytes = Uint8Array | ByteString

declare global {
  /** Node's fast slices, which its type declarations leave out. */
  interface Buffer {
    latin1Slice(start?: number, end?: number): string
    utf8Slice(start?: number, end?: number): string
  }
}

/** The bytes `[start, end)` of `bytes` as a byte string. */
export function toByteString(bytes: Uint8Array, start = 0, end = bytes.length): ByteString {
  return asBuffer(bytes).latin1Slice(start, end)
}

/** The bytes of a byte string. */
export function fromByteString(text: ByteString): Buffer {
  return Buffer.from(text, 'latin1')
}

/** The UTF-8 bytes of a text, as a byte string. */
export function utf8ByteString(text: string): ByteString {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').latin1Slice()
}

/** The text whose UTF-8 bytes `bytes` are; malformed sequences become U+FFFD. */
export function textOfByteString(bytes: ByteString): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').utf8Slice()
}

/** Bytes in either form as an array; what is one already is given back. */
export function asBytes(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? fromByteString(bytes) : bytes
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}

/** `Buffer.isBuffer` walks the prototypes, which takes longer than many a slice. */
function isBuffer(bytes: Uint8Array): bytes is Buffer {
  return (bytes as Partial<Buffer>).latin1Slice !== undefined
}

/** A Buffer over the same memory. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && asBuffer(left).equals(right)
}
