import { createRequire } from 'node:module'
import { type Codec, lazyLibrary } from './codec.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('gzip', () => require('node:zlib') as typeof import('node:zlib'))

const LEAST_CHUNK = 16 * 1024
const MOST_CHUNK = 1024 * 1024

export const GZIP: Codec = {
  name: 'gzip',
  compress: (payload) => library().gzipSync(payload, { chunkSize: chunkFor(payload.length) }),
  decompress: (payload, limit) =>
    library().gunzipSync(payload, { maxOutputLength: limit, chunkSize: chunkFor(payload.length * 8) }),
}

/** Few chunks, without much memory for small payloads: zlib takes a whole one at a time. */
function chunkFor(expectedBytes: number): number {
  return Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, expectedBytes))
}
