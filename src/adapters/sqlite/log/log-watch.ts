import { setTimeout } from 'node:timers/promises'
import { isTidemarkError } from '../../../core/errors.ts'
import type { LogWatch, PartitionPosition } from '../../../ports/log.ts'
import type { LogFile } from './log-file.ts'

/** How long a record lies in the file before it is noticed, at the most, ms. One look takes some ten microseconds. */
const LOOK_EVERY_MS = 20

/**
 * Looks at short intervals whether another connection has changed the log's file, which SQLite tells without reading it;
 * only then at the partitions.
 */
export class SqliteLogWatch implements LogWatch {
  readonly #file: LogFile
  #closed = false

  constructor(file: LogFile) {
    this.#file = file
  }

  async arrival(positions: readonly PartitionPosition[], waitMs: number, signal?: AbortSignal): Promise<void> {
    const until = performance.now() + waitMs
    let seen: number | undefined
    for (;;) {
      const version = this.#file.version()
      if (version !== seen && this.#isThere(positions)) return
      seen = version
      const leftMs = until - performance.now()
      if (leftMs <= 0 || this.#closed || signal?.aborted === true) return
      const ends = signal === undefined ? {} : { signal }
      await setTimeout(Math.min(LOOK_EVERY_MS, leftMs), undefined, ends).catch(() => {}) // aborted: the next look ends it
    }
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #isThere(positions: readonly PartitionPosition[]): boolean {
    try {
      return this.#file.read(({ topics }) =>
        positions.some(({ topic, partition, offset }) => topics.partition({ topic, partition }).highWatermark > offset),
      )
    } catch (error) {
      if (isTidemarkError(error)) return true // whoever reads on is told
      throw error
    }
  }
}
