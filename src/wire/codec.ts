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
  /** Where other threads can do it. */
  readonly ahead?: CodecAhead
}

/** Decompressing on another thread. */
export interface CodecAhead {
  /** How much a payload says that it comes to. It may be wrong. */
  plainBytes(payload: Buffer): number
  /** In the order given; nothing where the payloads are not what they say. Throws for damaged ones. */
  decompress(payloads: readonly Buffer[]): Promise<readonly Buffer[]>
}

/** Loads a codec's library at first use: a start that does not need it does not pay for it. */
export function lazyLibrary<T>(codec: CodecName, load: () => T): () => T {
  let library: T | undefined
  return () => {
    library ??= loaded(codec, load)
    return library
  }
}

function loaded<T>(codec: CodecName, load: () => T): T {
  try {
    return load()
  } catch (cause) {
    throw new TidemarkError('RECORD_BATCH_UNSUPPORTED', `the library of the ${codec} codec cannot be loaded`, {
      hint: 'Install the packages again on this platform: npm ci, with optional ones.',
      cause,
    })
  }
}

/** For `decompress`: refuses what would not fit, before memory is taken for it. */
export function refuseAbove(limit: number, bytes: number): void {
  if (bytes > limit) throw new Error(`it decompresses to ${bytes} bytes or so, above the limit of ${limit}`)
}
