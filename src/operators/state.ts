import type { ByteString } from '../core/bytes.ts'
import type { StreamTime } from './operator.ts'

/** An entry of a store as operators see it: decoded, with its timestamp. Good until the next call on the same store. */
export interface Entry {
  readonly value: unknown
  /** Epoch ms. */
  readonly timestamp: number
  /** The task that wrote it, where that is known: another one where a key has come to more than one task. */
  readonly task?: number
}

/** A key-value store through the write-behind view, for one task. Values are decoded; equal keys are equal bytes. */
export interface KeyValueState {
  get(key: ByteString): Entry | undefined
  /** `value` is neither null nor undefined, and is not changed by anyone afterwards. */
  put(key: ByteString, value: unknown, timestamp: number): void
  delete(key: ByteString): void
  /** Rows of all tasks that are in a group (`StoreRef.groupOf`), by key. The store is not to be written meanwhile. */
  group(group: ByteString): IterableIterator<KeyValueRow>
  /** Rows of this task with `from` <= key < `to`, up to the end without `to`. Those given may be changed meanwhile. */
  scan(from: ByteString, to?: ByteString): IterableIterator<KeyValueRow>
}

export interface KeyValueRow extends Entry {
  readonly key: ByteString
}

/**
 * A window store through the write-behind view, for one task. Rows outside the retention are neither kept nor seen:
 * only those with start > (greatest start ever put) - retention.
 */
export interface WindowState {
  get(key: ByteString, start: number): Entry | undefined
  put(key: ByteString, start: number, value: unknown, timestamp: number): void
  delete(key: ByteString, start: number): void
  /** Rows of this task with `fromStart` <= start < `toStart`, by start, then key. Those given may be deleted meanwhile. */
  scan(fromStart: number, toStart: number): IterableIterator<WindowRow>
  /** The greatest start ever put or deleted by this task, or -1. */
  latestStart(): number
}

export interface WindowRow extends Entry {
  readonly key: ByteString
  readonly start: number
}

/**
 * A store with rows by key, time and ordinal through the write-behind view, for one task. Rows outside the retention,
 * where it has one, are neither kept nor seen: only those with time > (greatest time ever put) - retention.
 */
export interface KeyTimeState {
  get(key: ByteString, time: number, ordinal: number): Entry | undefined
  put(key: ByteString, time: number, ordinal: number, value: unknown, timestamp: number): void
  delete(key: ByteString, time: number, ordinal: number): void
  /** Rows of one key with `fromTime` <= time < `toTime`, by time, then ordinal. Good until the next call on the store. */
  range(key: ByteString, fromTime: number, toTime: number): readonly KeyTimeRow[]
  /** Rows of this task with `fromTime` <= time < `toTime`, by time, key, ordinal. Those given may be deleted meanwhile. */
  scan(fromTime: number, toTime: number): IterableIterator<KeyTimeRow>
  /** The greatest time ever put or deleted by this task, or -1. */
  latestTime(): number
}

export interface KeyTimeRow extends Entry {
  readonly key: ByteString
  readonly time: number
  readonly ordinal: number
}

/** The stores of a job, by name. */
export interface Stores {
  keyValue(store: string, task: number): KeyValueState
  /** `newest` gives, for each task, where the greatest start ever put is kept: the checkpoint has it. */
  window(store: string, task: number, newest: (task: number) => StreamTime): WindowState
  /** `newest` gives, for each task, where the greatest time ever put is kept. */
  keyTime(store: string, task: number, newest: (task: number) => StreamTime): KeyTimeState
}
