import type { Codec, CodecName } from './codec.ts'
import { GZIP } from './codec-gzip.ts'
import { LZ4 } from './codec-lz4.ts'
import { SNAPPY } from './codec-snappy.ts'
import { ZSTD } from './codec-zstd.ts'

const NONE: Codec = { name: 'none', compress: (payload) => Buffer.from(payload), decompress: (payload) => payload }

const BY_NAME: Readonly<Record<CodecName, Codec>> = { none: NONE, gzip: GZIP, snappy: SNAPPY, lz4: LZ4, zstd: ZSTD }

/** The number of a codec in a batch's attributes. */
export const CODEC_ID: Readonly<Record<CodecName, number>> = { none: 0, gzip: 1, snappy: 2, lz4: 3, zstd: 4 }

/** By the number that a batch's attributes give. */
export const CODECS: readonly Codec[] = [NONE, GZIP, SNAPPY, LZ4, ZSTD]

export function codecNamed(name: CodecName): Codec {
  return BY_NAME[name]
}
