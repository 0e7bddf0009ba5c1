import { createRequire } from 'node:module'
import { asBuffer } from '../core/bytes.ts'
import { type Codec, lazyLibrary, refuseAbove } from './codec.ts'
import { withSmallestWindows, zstdFrames } from './zstd-frame.ts'

const require = createRequire(import.meta.url)
const compressor = lazyLibrary('zstd', () => require('@toondepauw/node-zstd') as typeof import('@toondepauw/node-zstd'))
const decompressor = lazyLibrary('zstd', () => require('fzstd') as typeof import('fzstd'))

/** The level of the Java producer. */
const LEVEL = 3

export const ZSTD: Codec = {
  name: 'zstd',
  compress: (payload) => new (compressor().Encoder)(LEVEL).encodeSync(payload),
  decompress(payload, limit) {
    const frames = zstdFrames(payload)
    let most = 0
    for (const { mostPlainBytes } of frames) most += mostPlainBytes
    refuseAbove(limit, most)
    return asBuffer(decompressor().decompress(withSmallestWindows(payload, frames)))
  },
}
