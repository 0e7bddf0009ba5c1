/** What the headers of a zstd frame say. */
export interface ZstdFrame {
  /** Where its window descriptor lies, or -1 when its content is its window. */
  readonly windowAt: number
  /** An upper bound of what it decompresses to: near where blocks are full, as Kafka's clients write them. */
  readonly mostPlainBytes: number
  readonly blocks: number
}

const FRAME_MAGIC = 0xfd2fb528
const SKIPPABLE_MAGIC = 0x184d2a50
const MOST_IN_BLOCK = 128 * 1024
const BLOCK = { raw: 0, rle: 1, compressed: 2, reserved: 3 } as const
const FLAG = { singleSegment: 0x20, checksum: 0x04, dictionary: 0x03 } as const
const LEAST_WINDOW_LOG = 10

/**
 * The frames of a zstd payload, without those to skip, from the headers of their blocks alone. Throws a plain Error when
 * one is not whole, or claims a content that its blocks cannot hold.
 */
export function zstdFrames(payload: Buffer): ZstdFrame[] {
  const frames: ZstdFrame[] = []
  let position = 0
  while (position < payload.length) {
    const magic = uint(payload, position, 4)
    if ((magic & ~0xf) >>> 0 === SKIPPABLE_MAGIC) {
      position += 8 + uint(payload, position + 4, 4)
      continue
    }
    if (magic !== FRAME_MAGIC) throw new Error('it is not a zstd frame')
    const descriptor = uint(payload, position + 4, 1)
    if ((descriptor & FLAG.dictionary) !== 0) throw new Error('its zstd frame needs a dictionary, which Kafka has not')
    const windowAt = (descriptor & FLAG.singleSegment) === 0 ? position + 5 : -1
    const contentAt = position + (windowAt < 0 ? 5 : 6)
    const contentBytes = contentSizeBytes(descriptor)
    const content = contentBytes === 0 ? 0 : uint(payload, contentAt, contentBytes) + (contentBytes === 2 ? 256 : 0)
    const blocks = readBlocks(payload, contentAt + contentBytes)
    if (content > blocks.mostPlainBytes) throw new Error('its zstd frame claims more than it can hold')
    frames.push({ windowAt, mostPlainBytes: blocks.mostPlainBytes, blocks: blocks.count })
    position = blocks.end + ((descriptor & FLAG.checksum) === 0 ? 0 : 4)
  }
  if (position !== payload.length || frames.length === 0) throw new Error('its zstd frame is cut')
  return frames
}

/** Bytes that the library moves for a frame's window, block by block. */
const MOST_MOVED = 2 ** 36

/**
 * The payload with each frame's window no larger than what the frame can decompress to. Writers give a window of
 * megabytes however small a frame is, and the library takes memory for it, and moves it for every block. Throws a plain
 * Error where that would take minutes.
 */
export function withSmallestWindows(payload: Buffer, frames: readonly ZstdFrame[]): Buffer {
  const copy = Buffer.from(payload)
  for (const { windowAt, mostPlainBytes, blocks } of frames) {
    if (windowAt < 0) continue
    const windowLog = Math.max(LEAST_WINDOW_LOG, Math.ceil(Math.log2(Math.max(1, mostPlainBytes))))
    const descriptor = Math.min(copy[windowAt] as number, (windowLog - LEAST_WINDOW_LOG) << 3)
    const windowBytes = 2 ** (LEAST_WINDOW_LOG + (descriptor >>> 3)) * (1 + (descriptor & 7) / 8)
    if (blocks * windowBytes > MOST_MOVED)
      throw new Error(`${blocks} zstd blocks over ${windowBytes} bytes take too long`)
    copy[windowAt] = descriptor
  }
  return copy
}

function readBlocks(payload: Buffer, start: number): { end: number; mostPlainBytes: number; count: number } {
  let mostPlainBytes = 0
  let count = 0
  let end = start
  let isLast = false
  while (!isLast) {
    const header = uint(payload, end, 3)
    isLast = (header & 1) === 1
    const kind = (header >>> 1) & 3
    const size = header >>> 3
    if (kind === BLOCK.reserved || size > MOST_IN_BLOCK) throw new Error('a block of its zstd frame is damaged')
    mostPlainBytes += kind === BLOCK.compressed ? MOST_IN_BLOCK : size
    end += 3 + (kind === BLOCK.rle ? 1 : size)
    count++
  }
  return { end, mostPlainBytes, count }
}

function contentSizeBytes(descriptor: number): number {
  const code = descriptor >>> 6
  if (code === 0) return (descriptor & FLAG.singleSegment) === 0 ? 0 : 1
  return 1 << code
}

/** A little-endian integer; exact up to 6 bytes, and of 8 bytes as far as a content size can be. */
function uint(bytes: Buffer, position: number, length: number): number {
  if (position + length > bytes.length) throw new Error('its zstd frame is cut')
  if (length <= 6) return bytes.readUIntLE(position, length)
  return bytes.readUInt32LE(position) + bytes.readUInt32LE(position + 4) * 0x1_0000_0000
}
