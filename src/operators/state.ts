import type { ByteString } from '../core/bytes.ts'

/** An entry of a store as operators see it: decoded, with its timestamp. */
export interface Entry {
  readonly value: unknown
  /** Epoch ms. */
  readonly timestamp: number
}

/** A key-value store through the write-behind view, for one task. Values are decoded; equal keys are equal bytes. */
export interface KeyValueState {
  get(key: ByteString): Entry | undefined
  put(key: ByteString, value: unknown, timestamp: number): void
  delete(key: ByteString): void
}

/** A window store through the write-behind view, for one task. Rows outside the retention are neither kept nor seen. */
export interface WindowState {
  get(key: ByteString, start: number): Entry | undefined
  put(key: ByteString, start: number, value: unknown, timestamp: number): void
  delete(key: ByteString, start: number): void
  /** Rows of this task with `fromStart` <= start < `toStart`, ordered by start, then key. */
  scan(fromStart: number, toStart: number): IterableIterator<WindowRow>
  /** The greatest start among this task's rows, or -1. */
  latestStart(): number
}

export interface WindowRow extends Entry {
  readonly key: ByteString
  readonly start: number
}
