import type { ByteString } from '../core/bytes.ts'

/**
 * How a store's rows are keyed, and so how they lie on disk.
 * - `key-value`: by key; `time` and `ordinal` are 0.
 * - `window`: by (time, key), where time is the window's start.
 * - `key-time`: by (key, time, ordinal), with an index on time: sessions (end, start), join buffers (time, arrival), versions.
 */
export type StoreShape = 'key-value' | 'window' | 'key-time'

export interface StoreRow {
  readonly key: ByteString
  readonly time: number
  readonly ordinal: number
  readonly value: Uint8Array
  /** Timestamp of the value, epoch ms. */
  readonly timestamp: number
  /** The task that wrote the row. */
  readonly task: number
}

export interface RowRange {
  /** Inclusive. */
  readonly fromKey?: ByteString
  /** Exclusive. */
  readonly toKey?: ByteString
  /** Inclusive. */
  readonly fromTime?: number
  /** Exclusive. */
  readonly toTime?: number
  readonly task?: number
  /** `time` orders by (time, key, ordinal), `key` by (key, time, ordinal). Default: the shape's primary key. */
  readonly order?: 'time' | 'key'
}

/** One store of one generation. Synchronous. Writes need an open transaction. Byte order throughout. */
export interface StoreTable {
  readonly name: string
  readonly shape: StoreShape
  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined
  put(row: StoreRow): void
  delete(key: ByteString, time: number, ordinal: number): void
  /** A snapshot at the call is not promised: callers do not write while they iterate. */
  scan(range: RowRange): IterableIterator<StoreRow>
  /** Removes rows of `task` with time < `beforeTime`; gives their number. */
  expire(task: number, beforeTime: number): number
  /** Number of rows. */
  size(): number
}
