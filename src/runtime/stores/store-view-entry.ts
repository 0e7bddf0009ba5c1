import type { Entry } from '../../operators/state.ts'

/** Stands for the value of a key that has no row. */
export const ABSENT: unique symbol = Symbol('absent')

/** `rowTask` of an entry whose key has no row in the table. */
export const NO_ROW = -1
/** `rowTask` of an entry written without a look at the table. */
export const ROW_UNKNOWN = -2

/** A row of a store as the write-behind holds it: decoded. One object for as long as the key is held. */
export class CachedEntry implements Entry {
  value: unknown
  timestamp: number
  /** The task that wrote the value. */
  task: number
  /** The task that the row in the table names, `NO_ROW` or `ROW_UNKNOWN`. */
  rowTask: number
  /** True where the table does not have it yet. */
  dirty = false

  constructor(value: unknown, timestamp: number, task: number, rowTask: number) {
    this.value = value
    this.timestamp = timestamp
    this.task = task
    this.rowTask = rowTask
  }
}
