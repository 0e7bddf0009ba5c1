/** One block of an LZ4 frame. */
export interface Lz4Block {
  /** The block as it lies in the frame: a view. */
  readonly bytes: Buffer
  /** True when `bytes` are the plain bytes themselves. */
  readonly stored: boolean
  /** The length of what is in it. */
  readonly plainBytes: number
}

const FRAME_MAGIC = 0x184d2204
const FLAG = {
  version: 0xc0,
  independent: 0x20,
  blockChecksum: 0x10,
  contentSize: 0x08,
  contentChecksum: 0x04,
  dictionary: 0x01,
} as const
const VERSION_1 = 0x40
const STORED = 0x8000_0000

/**
 * The blocks of the one LZ4 frame that `frame` is. The frame's own checksums are passed over: that of the record batch
 * covers them. Throws a plain Error for what is no whole frame, and for what Kafka's clients do not write or read.
 */
export function lz4Blocks(frame: Buffer): Lz4Block[] {
  if (frame.length < 7 || frame.readUInt32LE(0) !== FRAME_MAGIC) throw new Error('it is not an LZ4 frame')
  const flags = frame[4] as number
  const blockSizeCode = ((frame[5] as number) >>> 4) & 7
  if ((flags & FLAG.version) !== VERSION_1 || blockSizeCode < 4) throw new Error('its LZ4 frame is not of version 1')
  if ((flags & FLAG.independent) === 0) throw new Error('its LZ4 blocks need one another, which Kafka does not allow')
  if ((flags & FLAG.dictionary) !== 0) throw new Error('its LZ4 frame needs a dictionary, which Kafka does not allow')
  const mostInBlock = 1 << (8 + 2 * blockSizeCode)

  const blocks: Lz4Block[] = []
  let position = (flags & FLAG.contentSize) === 0 ? 7 : 15
  while (position + 4 <= frame.length) {
    const header = frame.readUInt32LE(position)
    position += 4
    if (header === 0) {
      const end = position + ((flags & FLAG.contentChecksum) === 0 ? 0 : 4)
      if (end !== frame.length) throw new Error('its LZ4 frame does not end where the batch ends')
      return blocks
    }
    const stored = header >= STORED
    const length = stored ? header - STORED : header
    if (length > frame.length - position) break
    const bytes = frame.subarray(position, position + length)
    const plainBytes = stored ? length : plainLength(bytes)
    if (plainBytes > mostInBlock) throw new Error(`an LZ4 block holds more than ${mostInBlock} bytes`)
    blocks.push({ bytes, stored, plainBytes })
    position += length + ((flags & FLAG.blockChecksum) === 0 ? 0 : 4)
  }
  throw new Error('its LZ4 frame is cut')
}

/**
 * What a block decompresses to, by adding up its sequences: each a token with the lengths of literals and of a match, more
 * length bytes where a nibble is 15, the literals, and a match of 4 or more bytes; the last ends after its literals.
 */
function plainLength(block: Buffer): number {
  const { length } = block
  let plain = 0
  let position = 0
  while (position < length) {
    const token = block[position++] as number
    let literals = token >>> 4
    for (let more = literals === 15 ? 255 : 0; more === 255; literals += more) more = block[position++] ?? 0
    position += literals
    plain += literals
    if (position >= length) break
    position += 2
    let match = (token & 15) + 4
    for (let more = match === 19 ? 255 : 0; more === 255; match += more) more = block[position++] ?? 0
    plain += match
  }
  if (position !== length) throw new Error('an LZ4 block is cut')
  return plain
}
