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
    library().gunzipSync(payload, {
      maxOutputLength: limit,
      chunkSize: bounded(Math.min(limit, plainBytes(payload) + 1)),
    }),
  ahead: { plainBytes, decompress: gunzipTogether },
}

/** One file may consist of several: so many payloads cost one call, and one way to another thread and back. */
async function gunzipTogether(payloads: readonly Buffer[]): Promise<readonly Buffer[]> {
  const lengths = payloads.map(plainBytes)
  const whole = lengths.reduce((sum, length) => sum + length, 0)
  const options = { maxOutputLength: whole + 1, chunkSize: bounded(whole + 1) }
  const plain = await new Promise<Buffer>((resolve, reject) => {
    library().gunzip(Buffer.concat(payloads), options, (error, result) => (error ? reject(error) : resolve(result)))
  })
  if (plain.length !== whole) return []
  let end = 0
  return lengths.map((length) => {
    const start = end
    end += length
    return plain.subarray(start, end)
  })
}

/** What the trailer says of the length, as far as that can be. zlib wants a byte of room to see that it is the end. */
function plainBytes(payload: Buffer): number {
  if (payload.length < TRAILER_BYTES) return 0
  return Math.min(payload.readUInt32LE(payload.length - TRAILER_BYTES), payload.length * MOST_RATIO)
}

/** zlib takes memory a chunk at a time, and puts several together by copying: so one, as far as its size is known. */
function bounded(expectedBytes: number): number {
  return Math.min(MOST_CHUNK, Math.max(LEAST_CHUNK, expectedBytes))
}
