import { createRequire } from 'node:module'
import { type Codec, lazyLibrary } from './codec.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('gzip', () => require('node:zlib') as typeof import('node:zlib'))

const LEAST_CHUNK = 64
const MOST_CHUNK = 16 * 1024 * 1024
/** Deflate makes a thousandth of its input at least. */
const MOST_RATIO = 1032
const TRAILER_BYTES = 4

export const GZIP: Codec = {
  name: 'gzip',
  compress: (payload) => library().gzipSync(payload, { chunkSize: bounded(payload.length) }),
  decompress: (payload, limit) =>
    library().gunzipSync(payload, { maxOutputLength: limit, chunkSize: bounded(Math.min(limit, plainBytes(payload))) }),
}

/** What the trailer says of the length, with room for zlib to see that it is the end; only what it says can be. */
function plainBytes(payload: Buffer): number {
  if (payload.length < TRAILER_BYTES) return 0
  return Math.min(payload.readUInt32LE(payload.length - TRAILER_BYTES) + 1, payload.length * MOST_RATIO)
}

/** zlib takes memory a chunk at a time, and puts several together by copying: so one, as far as its size is known. */
function bounded(expectedBytes: number): number {
  return Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, expectedBytes))
}
