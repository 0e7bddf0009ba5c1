import type { ReadOptions } from '../../ports/log.ts'

const DEFAULT_BUFFER_BYTES = 16 * 1024 * 1024

/** How many bytes one chunk may hold, when each range has one of them ahead of the caller. */
export function chunkBytes(options: ReadOptions, ranges: number): number {
  return Math.floor((options.bufferBytes ?? DEFAULT_BUFFER_BYTES) / Math.max(1, ranges))
}
