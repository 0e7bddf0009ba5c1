import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let library: typeof import('@node-rs/crc32') | undefined

/** CRC32C (Castagnoli) of the bytes `[start, end)`, as an unsigned 32-bit integer, behind those that came to `before`. */
export function crc32c(bytes: Buffer, start: number, end: number, before = 0): number {
  // Loaded at first use: a start that reads no batch does not pay for it.
  library ??= require('@node-rs/crc32') as typeof import('@node-rs/crc32')
  return library.crc32c(bytes.subarray(start, end), before)
}
