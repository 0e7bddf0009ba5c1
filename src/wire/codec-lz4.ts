import { createRequire } from 'node:module'
import { type Codec, lazyLibrary, refuseAbove } from './codec.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('lz4', () => require('lz4-napi') as typeof import('lz4-napi'))

export const LZ4: Codec = {
  name: 'lz4',
  compress: (payload) => library().compressFrameSync(payload),
  decompress(payload, limit) {
    refuseAbove(limit, mostPlainBytes(payload))
    return library().decompressFrameSync(payload)
  },
}

const FRAME_MAGIC = 0x184d2204
const FLAG = { blockChecksum: 0x10, contentSize: 0x08, contentChecksum: 0x04, dictionary: 0x01 } as const
const BLOCK_UNCOMPRESSED = 0x8000_0000
const MOST_EXPANSION = 255

/** An upper bound of what an LZ4 frame decompresses to, from its block headers. Throws when the frame is not whole. */
function mostPlainBytes(frame: Buffer): number {
  if (frame.length < 7 || frame.readUInt32LE(0) !== FRAME_MAGIC) throw new Error('it is not an LZ4 frame')
  const flags = frame[4] as number
  const blockSizeCode = ((frame[5] as number) >>> 4) & 7
  if (flags >>> 6 !== 1 || blockSizeCode < 4) throw new Error('its LZ4 frame header is not one of version 1')
  const mostInBlock = 1 << (8 + 2 * blockSizeCode)
  let position = 7
  if ((flags & FLAG.contentSize) !== 0) position += 8
  if ((flags & FLAG.dictionary) !== 0) position += 4

  let most = 0
  while (position + 4 <= frame.length) {
    const header = frame.readUInt32LE(position)
    position += 4
    if (header === 0) {
      const end = position + ((flags & FLAG.contentChecksum) !== 0 ? 4 : 0)
      if (end !== frame.length) throw new Error('its LZ4 frame does not end where the batch ends')
      return most
    }
    const stored = header >= BLOCK_UNCOMPRESSED
    const length = stored ? header - BLOCK_UNCOMPRESSED : header
    most += stored ? length : Math.min(mostInBlock, length * MOST_EXPANSION)
    position += length + ((flags & FLAG.blockChecksum) !== 0 ? 4 : 0)
  }
  throw new Error('its LZ4 frame is cut')
}
