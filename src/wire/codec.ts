import { createRequire } from 'node:module'
import { TidemarkError } from '../core/errors.ts'

export type CodecName = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'

/** One way to compress the records of a batch, whole and synchronously. Results are new memory. */
export interface Codec {
  readonly name: CodecName
  compress(payload: Buffer): Buffer
  /**
   * Throws for damaged input, and for output above `limit` bytes before it is made. Also throws
   * RECORD_BATCH_UNSUPPORTED when the library is not there.
   */
  decompress(payload: Buffer, limit: number): Buffer
}

const require = createRequire(import.meta.url)

/** Loads a codec's library, at first use: a start that does not need it does not pay for it. */
export function codecLibrary<T>(codec: CodecName, specifier: string): T {
  try {
    return require(specifier) as T
  } catch (cause) {
    throw new TidemarkError('RECORD_BATCH_UNSUPPORTED', `the ${codec} codec cannot be loaded (${specifier})`, {
      hint: 'Install the packages again for this platform: npm ci, without --no-optional.',
      cause,
    })
  }
}

/** For `decompress`: refuses what would not fit, before memory is taken for it. */
export function refuseAbove(limit: number, bytes: number): void {
  if (bytes > limit) throw new Error(`it decompresses to ${bytes} bytes or so, above the limit of ${limit}`)
}
