import { createRequire } from 'node:module'
import { type Codec, lazyLibrary, refuseAbove } from './codec.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('zstd', () => require('@toondepauw/node-zstd') as typeof import('@toondepauw/node-zstd'))

/** The level of the Java producer. */
const LEVEL = 3

export const ZSTD: Codec = {
  name: 'zstd',
  compress: (payload) => new (library().Encoder)(LEVEL).encodeSync(payload),
  decompress(payload, limit) {
    refuseAbove(limit, mostPlainBytes(payload))
    return new (library().Decoder)().decodeSync(payload)
  },
}

const FRAME_MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50
const MOST_IN_BLOCK = 128 * 1024
const BLOCK = { raw: 0, rle: 1, compressed: 2 } as const
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const

/**
 * An upper bound of what zstd frames decompress to, from their block headers: near where blocks are full, as Kafka's
 * clients write them. Throws when a frame is not whole.
 */
function mostPlainBytes(frames: Buffer): number {
  let most = 0
  let position = 0
  while (position < frames.length) {
    const magic = uint(frames, position, 4)
    if ((magic & ~0xf) >>> 0 === SKIPPABLE_MAGIC) {
      position += 8 + uint(frames, position + 4, 4)
      continue
    }
    if (magic !== FRAME_MAGIC) throw new Error('it is not a zstd frame')
    const descriptor = uint(frames, position + 4, 1)
    position += 5 + headerBytes(descriptor)
    let isLast = false
    while (!isLast) {
      const header = uint(frames, position, 3)
      isLast = (header & 1) === 1
      const kind = (header >>> 1) & 3
      const size = header >>> 3
      most += kind === BLOCK.compressed ? MOST_IN_BLOCK : size
      position += 3 + (kind === BLOCK.rle ? 1 : size)
    }
    if ((descriptor & 0x04) !== 0) position += 4
  }
  if (position !== frames.length) throw new Error('its zstd frame is cut')
  return most
}

/** Bytes of a frame header after its descriptor: window, dictionary id, content size. */
function headerBytes(descriptor: number): number {
  const singleSegment = (descriptor & 0x20) !== 0
  const sizeCode = descriptor >>> 6
  const contentSizeBytes = sizeCode === 0 ? (singleSegment ? 1 : 0) : 1 << sizeCode
  return (singleSegment ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] as number) + contentSizeBytes
}

function uint(bytes: Buffer, position: number, length: number): number {
  if (position + length > bytes.length) throw new Error('its zstd frame is cut')
  return bytes.readUIntLE(position, length)
}
