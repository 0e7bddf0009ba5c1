import type { ByteString, Bytes } from '../core/bytes.ts'

/**
 * How a store's rows are keyed, and so how they lie on disk.
 * - `key-value`: by key; `time` and `ordinal` are 0.
 * - `window`: by (time, key), where time is the window's start; `ordinal` is 0.
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

/** A row on its way into a store. */
export interface NewRow extends Omit<StoreRow, 'value'> {
  readonly value: Bytes
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

/**
 * One store of one generation. Synchronous. Byte order throughout. Throws STATE_*, DISK_FULL, IO_FAILED.
 *
 * Writes need an open transaction. One that fails spoils it: later writes and the commit throw the first error again,
 * until it is rolled back.
 */
export interface StoreTable {
  readonly name: string
  readonly shape: StoreShape
  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined
  /** Replaces the row of the same key, time and ordinal, whatever its task. Keeps no reference to the value's bytes. */
  put(row: NewRow): void
  /**
   * Puts many rows, in their order, which is best that of the table; leaves out, and gives, those in whose place there is
   * a row of another task. Much cheaper than as many puts.
   */
  load<Row extends NewRow>(rows: readonly Row[]): readonly Row[]
  /** Does nothing where there is no such row. */
  delete(key: ByteString, time: number, ordinal: number): void
  /**
   * Rows in order, each once. Callers may write meanwhile; whether the scan shows what was written is not promised.
   * Cheap to leave before its end; memory does not grow with the number of rows.
   */
  scan(range: RowRange): IterableIterator<StoreRow>
  /** Removes rows of `task` with time < `beforeTime`; gives their number. Key-value rows never expire. */
  expire(task: number, beforeTime: number): number
  /** The greatest time among the rows of `task`, or of all where none is named; -1 where there is no row. */
  latestTime(task?: number): number
  /** Number of rows. */
  size(): number
}
