import type { ByteString } from '../core/bytes.ts'
import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import type { StoreRow, StoreTable } from '../ports/store-table.ts'
import type { Serde } from '../serde/serde.ts'
import { madeBadData } from './processor-failure.ts'
import { ABSENT, CachedEntry, NO_ROW, ROW_UNKNOWN } from './store-view-entry.ts'

/** Reads and writes cached entries as rows of one table. */
export class StoreRows {
  readonly table: StoreTable
  readonly #serde: Serde<unknown>
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

  decode(row: StoreRow): unknown {
    return this.#serde.decode(row.value, 0, row.value.length)
  }

  /** The entry of a key as the table has it. */
  load(key: ByteString, time: number): CachedEntry {
    const row = this.table.get(key, time, 0)
    if (row === undefined) return new CachedEntry(ABSENT, -1, NO_ROW, NO_ROW)
    return new CachedEntry(this.decode(row), row.timestamp, row.task, row.task)
  }

  /** Brings the table up to a dirty entry, which is clean then. Where `gone`, the row goes whatever the entry says. */
  write(key: ByteString, time: number, entry: CachedEntry, gone = false, ordinal = 0): void {
    if (entry.rowTask === ROW_UNKNOWN) entry.rowTask = this.table.get(key, time, ordinal)?.task ?? NO_ROW
    if (entry.value === ABSENT || gone) {
      if (entry.rowTask !== NO_ROW) {
        this.table.delete(key, time, ordinal)
        this.#added--
      }
      entry.rowTask = NO_ROW
    } else {
      const { timestamp, task } = entry
      if (entry.rowTask === NO_ROW) this.#added++
      else if (entry.rowTask !== task) this.#moved++
      this.table.put({ key, time, ordinal, value: this.#encode(entry.value), timestamp, task })
      entry.rowTask = task
    }
    entry.dirty = false
  }

  /** Removes rows of a task that start before `beforeTime`. */
  expire(task: number, beforeTime: number): void {
    this.#added -= this.table.expire(task, beforeTime)
  }

  #encode(value: unknown): Uint8Array {
    try {
      return this.#serde.encode(value)
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
