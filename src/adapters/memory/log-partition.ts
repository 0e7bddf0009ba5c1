import type { Isolation } from '../../ports/log.ts'
import type { BatchExtent } from '../log-rules/retention.ts'

/** One batch, as it lies in the log. Positions between entries are holes. */
export interface LogEntry extends BatchExtent {
  readonly baseOffset: number
  readonly batch: Uint8Array
  /** Open and aborted ones are for readers of uncommitted records alone. */
  readonly state: 'committed' | 'open' | 'aborted'
}

/** One partition in memory. */
export class MemoryPartition {
  /** In offset order, not overlapping. */
  entries: LogEntry[] = []
  logStart = 0
  /** The next offset that will be written. */
  highWatermark = 0
  /** Called when the partition has changed. */
  readonly watchers = new Set<() => void>()

  /** The first offset that a reader of this isolation may not read yet. */
  endFor(isolation: Isolation): number {
    if (isolation === 'read_uncommitted') return this.highWatermark
    return this.entries.find((entry) => entry.state === 'open')?.baseOffset ?? this.highWatermark
  }

  append(batch: Uint8Array, offsets: number, maxTimestamp: number, state: LogEntry['state'] = 'committed'): LogEntry {
    const baseOffset = this.highWatermark
    const nextOffset = baseOffset + offsets
    const entry = { baseOffset, nextOffset, maxTimestamp, bytes: batch.length, batch, state }
    this.entries.push(entry)
    this.highWatermark = nextOffset
    this.#changed()
    return entry
  }

  /** Passes positions that hold no records: markers, or what compaction left. */
  skip(offsets: number): void {
    this.highWatermark += offsets
    this.#changed()
  }

  /** Index of the first entry that reaches past `offset`. */
  indexOf(offset: number): number {
    let low = 0
    let high = this.entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = this.entries[middle]
      if (entry !== undefined && entry.nextOffset <= offset) low = middle + 1
      else high = middle
    }
    return low
  }

  trim(offset: number): void {
    if (offset <= this.logStart) return
    this.logStart = offset
    this.entries.splice(0, this.indexOf(offset))
  }

  /** The log falls back to `offset`, as after an unclean election. */
  truncate(offset: number): void {
    this.entries = this.entries.filter((entry) => entry.nextOffset <= offset)
    this.highWatermark = Math.min(this.highWatermark, offset)
    this.logStart = Math.min(this.logStart, this.highWatermark)
  }

  replace(old: LogEntry, entry: LogEntry | undefined): void {
    const at = this.entries.indexOf(old)
    if (at >= 0) this.entries.splice(at, 1, ...(entry === undefined ? [] : [entry]))
    this.#changed()
  }

  #changed(): void {
    for (const watcher of this.watchers) watcher()
  }
}
