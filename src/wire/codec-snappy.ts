import { createRequire } from 'node:module'
import { type Codec, lazyLibrary, refuseAbove } from './codec.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('snappy', () => require('snappy') as typeof import('snappy'))

/**
 * The Java clients' framing (xerial): magic, version 1, least compatible version 1, then blocks, each a big-endian length
 * and raw snappy. Other clients write raw snappy without framing; both are read, the framing is written.
 */
const MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00])
const FRAME_HEADER = Buffer.concat([MAGIC, Buffer.from([0, 0, 0, 1, 0, 0, 0, 1])])
const BLOCK_BYTES = 32 * 1024
/** A copy element makes at most 64 bytes out of 3. */
const MOST_EXPANSION = 22
/** Results in memory of JavaScript's own: memory of the library's costs ten times as much to make and to free. */
const COPY = { copyOutputData: true } as const

export const SNAPPY: Codec = { name: 'snappy', compress, decompress }

function compress(payload: Buffer): Buffer {
  const parts: Buffer[] = [FRAME_HEADER]
  for (let start = 0; start < payload.length; start += BLOCK_BYTES) {
    const block = library().compressSync(payload.subarray(start, start + BLOCK_BYTES), COPY)
    const length = Buffer.allocUnsafe(4)
    length.writeInt32BE(block.length)
    parts.push(length, block)
  }
  return Buffer.concat(parts)
}

function decompress(payload: Buffer, limit: number): Buffer {
  const framed = payload.length >= FRAME_HEADER.length && payload.subarray(0, MAGIC.length).equals(MAGIC)
  const blocks = framed ? splitFrame(payload) : [payload]
  let total = 0
  for (const block of blocks) total += plainLength(block)
  refuseAbove(limit, total)
  const plain = blocks.map((block) => library().uncompressSync(block, COPY) as Buffer)
  return plain.length === 1 ? (plain[0] as Buffer) : Buffer.concat(plain, total)
}

function splitFrame(payload: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  let position = FRAME_HEADER.length
  while (position < payload.length) {
    const left = payload.length - position - 4
    const length = left < 0 ? -1 : payload.readInt32BE(position)
    if (length <= 0 || length > left) throw new Error(`a snappy block of ${length} bytes at ${position} does not fit`)
    blocks.push(payload.subarray(position + 4, position + 4 + length))
    position += 4 + length
  }
  return blocks
}

/** The length that a raw snappy block says it has when decompressed. */
function plainLength(block: Buffer): number {
  let length = 0
  for (let i = 0; i < 5; i++) {
    const byte = block[i]
    if (byte === undefined) break
    length += (byte & 0x7f) * 2 ** (7 * i)
    if (byte < 0x80) {
      if (length <= block.length * MOST_EXPANSION) return length
      throw new Error(`${block.length} bytes of snappy cannot make ${length}`)
    }
  }
  throw new Error('a snappy block has no length')
}
