import { createRequire } from 'node:module'
import { type Codec, lazyLibrary, refuseAbove } from './codec.ts'
import { type Lz4Block, lz4Blocks } from './lz4-frame.ts'

const require = createRequire(import.meta.url)
const library = lazyLibrary('lz4', () => require('lz4-wasm-nodejs') as typeof import('lz4-wasm-nodejs'))

/** The frame of the Java client: independent blocks of 64 KiB, no checksums but that of the header. */
const FRAME_HEADER = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])
const BLOCK_BYTES = 64 * 1024
const STORED = 0x8000_0000
const END = Buffer.alloc(4)
/** The library puts the plain length before a block, in 4 bytes, and asks for it there. */
const PREFIX_BYTES = 4

export const LZ4: Codec = { name: 'lz4', compress, decompress }

function compress(payload: Buffer): Buffer {
  const parts: Buffer[] = [FRAME_HEADER]
  for (let start = 0; start < payload.length; start += BLOCK_BYTES) {
    const plain = payload.subarray(start, start + BLOCK_BYTES)
    const block = library().compress(plain).subarray(PREFIX_BYTES)
    const shorter = block.length < plain.length
    const header = Buffer.allocUnsafe(4)
    header.writeUInt32LE(shorter ? block.length : plain.length + STORED)
    parts.push(header, shorter ? Buffer.from(block.buffer, block.byteOffset, block.length) : plain)
  }
  return Buffer.concat([...parts, END])
}

function decompress(payload: Buffer, limit: number): Buffer {
  const blocks = lz4Blocks(payload)
  let total = 0
  for (const { plainBytes } of blocks) total += plainBytes
  refuseAbove(limit, total)
  const plain = Buffer.allocUnsafe(total)
  let position = 0
  for (const block of blocks) {
    plain.set(block.stored ? block.bytes : inflate(block), position)
    position += block.plainBytes
  }
  return plain
}

function inflate({ bytes, plainBytes }: Lz4Block): Uint8Array {
  const prefixed = Buffer.allocUnsafe(PREFIX_BYTES + bytes.length)
  prefixed.writeUInt32LE(plainBytes)
  bytes.copy(prefixed, PREFIX_BYTES)
  try {
    return library().decompress(prefixed)
  } catch (reason) {
    // The library throws texts.
    throw typeof reason === 'string' ? new Error(reason) : reason
  }
}
