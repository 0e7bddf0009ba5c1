import type { StoreRow, StoreTable } from '../../ports/store-table.ts'
import { changelogKey, type RowAddress } from './changelog-key.ts'

/** The last word of every task on a row that more than one task has written. Null: a tombstone. */
type Contested = Map<number, StoreRow | null>

/**
 * Applies changelog records to an empty store, one partition after the other. A row that moved from task to task stands
 * in several partitions, with a tombstone in all but the one it is in now; since partitions are read one by one, such rows
 * are settled at the end.
 */
export class ChangelogRows {
  readonly #table: StoreTable
  readonly #contested = new Map<string, Contested>()

  constructor(table: StoreTable) {
    this.#table = table
  }

  /** Rows of one task. */
  put(rows: readonly StoreRow[]): void {
    const contested = this.#contested.size === 0 ? [] : rows.filter((row) => this.#contested.has(this.#id(row)))
    const others = contested.length === 0 ? rows : rows.filter((row) => !this.#contested.has(this.#id(row)))
    for (const row of contested) this.#contested.get(this.#id(row))?.set(row.task, row)
    for (const row of this.#table.load(others)) this.#contest(row)
  }

  remove(address: RowAddress, task: number): void {
    const contested = this.#contested.get(this.#id(address))
    if (contested !== undefined) {
      contested.set(task, null)
      return
    }
    const { key, time, ordinal } = address
    if (this.#table.get(key, time, ordinal)?.task === task) this.#table.delete(key, time, ordinal)
  }

  /** To be called after the last partition. */
  settle(): void {
    for (const words of this.#contested.values()) {
      for (const row of words.values()) if (row !== null) this.#table.put(row)
    }
  }

  /** Another task's row is in the place of this one. */
  #contest(row: StoreRow): void {
    const { key, time, ordinal } = row
    const other = this.#table.get(key, time, ordinal)
    if (other === undefined) throw new Error('a row that is in the way is there')
    this.#contested.set(
      this.#id(row),
      new Map([
        [other.task, other],
        [row.task, row],
      ]),
    )
    this.#table.delete(key, time, ordinal)
  }

  #id(address: RowAddress): string {
    return changelogKey(this.#table.shape, address)
  }
}
