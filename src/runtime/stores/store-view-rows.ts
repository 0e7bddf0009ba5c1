import type { ByteString, Bytes } from '../../core/bytes.ts'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'
import type { NewRow, StoreRow, StoreTable } from '../../ports/store-table.ts'
import { encodeBytes, type Serde } from '../../serde/serde.ts'
import { madeBadData } from '../processor-failure.ts'
import { ABSENT, CachedEntry, NO_ROW, ROW_UNKNOWN } from './store-view-entry.ts'
import { WrittenRows } from './written-rows.ts'

/** Rows that are given to the table at once. */
const ROWS_AT_ONCE = 64

/**
 * Reads and writes cached entries as rows of one table. A key that the table cannot have is not looked for: at first it
 * has no rows past the greatest time in it, none at all where it is empty, and what was written since is remembered.
 */
export class StoreRows {
  readonly table: StoreTable
  readonly #serde: Serde<unknown>
  readonly #written = new WrittenRows()
  /** Past this the table had no rows at first; undefined before anybody asked. */
  #latestAtFirst: number | undefined
  #waiting: NewRow[] = []
  #moved = 0
  #added = 0

  constructor(table: StoreTable, serde: Serde<unknown>) {
    this.table = table
    this.#serde = serde
  }

  /** Rows written by another task than the one that had written them before, since the last `forget`. */
  get moved(): number {
    return this.#moved
  }

  /** Rows in the table now, less those at the last `forget`. */
  get added(): number {
    return this.#added
  }

  /** Starts to count anew. */
  forget(): void {
    this.#moved = 0
    this.#added = 0
  }

  /** The transaction was rolled back: the table is as it was before. */
  discard(): void {
    this.forget()
    this.#waiting = []
    this.#latestAtFirst = undefined
  }

  decode(row: StoreRow): unknown {
    return this.#serde.decode(row.value, 0, row.value.length)
  }

  /** The entry of a key as the table has it. */
  load(key: ByteString, time: number): CachedEntry {
    const row = this.#mayHave(key, time) ? this.table.get(key, time, 0) : undefined
    if (row === undefined) return new CachedEntry(ABSENT, -1, NO_ROW, NO_ROW)
    return new CachedEntry(this.decode(row), row.timestamp, row.task, row.task)
  }

  /** False only where the table has no row of the key; always true in a table by key and time. */
  #mayHave(key: ByteString, time: number): boolean {
    if (this.table.shape === 'key-time') return true
    this.#latestAtFirst ??= this.table.latestTime()
    return time <= this.#latestAtFirst || this.#written.mayHave(key, time)
  }

  /**
   * Brings the table up to a dirty entry, which is clean then. Where `gone`, the row goes whatever the entry says. To be
   * followed by `finish` before anything else is done with the table.
   */
  write(key: ByteString, time: number, entry: CachedEntry, gone = false, ordinal = 0): void {
    if (entry.rowTask === ROW_UNKNOWN) entry.rowTask = this.#taskOfRow(key, time, ordinal)
    if (entry.value === ABSENT || gone) {
      if (entry.rowTask !== NO_ROW) {
        this.table.delete(key, time, ordinal)
        this.#added--
      }
      entry.rowTask = NO_ROW
    } else {
      this.#put(key, time, entry, ordinal)
    }
    entry.dirty = false
  }

  /** What was written is in the table. */
  finish(): void {
    const rows = this.#waiting
    if (rows.length === 0) return
    this.#waiting = []
    const [other] = this.table.load(rows)
    if (other !== undefined) throw new Error(`store ${this.table.name} has a row that another task wrote unseen`)
  }

  /** Removes rows of a task that start before `beforeTime`. */
  expire(task: number, beforeTime: number): void {
    this.#added -= this.table.expire(task, beforeTime)
  }

  #put(key: ByteString, time: number, entry: CachedEntry, ordinal: number): void {
    const { timestamp, task, rowTask } = entry
    const row = { key, time, ordinal, value: this.#encode(entry.value), timestamp, task }
    if (rowTask === NO_ROW || rowTask === task) {
      if (this.#waiting.push(row) === ROWS_AT_ONCE) this.finish()
    } else {
      this.#moved++
      this.table.put(row)
    }
    if (rowTask === NO_ROW) {
      this.#added++
      if (this.table.shape !== 'key-time') this.#written.add(key, time)
    }
    entry.rowTask = task
  }

  #taskOfRow(key: ByteString, time: number, ordinal: number): number {
    if (!this.#mayHave(key, time)) return NO_ROW
    return this.table.get(key, time, ordinal)?.task ?? NO_ROW
  }

  #encode(value: unknown): Bytes {
    try {
      return encodeBytes(this.#serde, value)
    } catch (error) {
      const at = { step: this.table.name }
      if (isTidemarkError(error, 'BAD_DATA')) throw madeBadData(error).locatedAt(at)
      if (isTidemarkError(error)) throw error.locatedAt(at)
      throw new TidemarkError('USER_CODE_FAILED', `the serde of store '${this.table.name}' failed on a value`, {
        at,
        cause: error,
        hint: 'What a callback returns must be what the serde of its store can write.',
      })
    }
  }
}
