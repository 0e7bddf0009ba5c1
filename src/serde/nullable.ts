import type { Serde } from './serde.ts'

/**
 * The same serde for values that may be null: null is no bytes. Other values keep their bytes, but for those that are
 * none or begin with 00: these get a 00 in front. So JSON and texts stay readable.
 */
export function nullable<T>(serde: Serde<T>): Serde<T | null> {
  return Object.freeze({
    format: `${serde.format}?`,
    encode: (value: T | null): Uint8Array => {
      if (value === null) return NONE
      const bytes = serde.encode(value)
      return bytes.length === 0 || bytes[0] === 0 ? Buffer.concat([MARK, bytes]) : bytes
    },
    decode: (bytes: Uint8Array, start: number, end: number): T | null => {
      if (start === end) return null
      return serde.decode(bytes, bytes[start] === 0 ? start + 1 : start, end)
    },
  })
}

const NONE = new Uint8Array(0)
const MARK = new Uint8Array(1)
