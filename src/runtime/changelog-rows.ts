import type { StoreRow, StoreTable } from '../ports/store-table.ts'
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

  put(row: StoreRow): void {
    const contested = this.#contest(row, row.task)
    if (contested === undefined) this.#table.put(row)
    else contested.set(row.task, row)
  }

  remove(address: RowAddress, task: number): void {
    const contested = this.#contest(address, task)
    if (contested === undefined) this.#table.delete(address.key, address.time, address.ordinal)
    else contested.set(task, null)
  }

  /** To be called after the last partition. */
  settle(): void {
    for (const words of this.#contested.values()) {
      for (const row of words.values()) if (row !== null) this.#table.put(row)
    }
  }

  /** What the tasks have said about a row that is, or now becomes, contested. */
  #contest(address: RowAddress, task: number): Contested | undefined {
    const id = changelogKey(this.#table.shape, address)
    const known = this.#contested.get(id)
    if (known !== undefined) return known
    const { key, time, ordinal } = address
    const row = this.#table.get(key, time, ordinal)
    if (row === undefined || row.task === task) return undefined
    const contested: Contested = new Map([[row.task, row]])
    this.#contested.set(id, contested)
    this.#table.delete(key, time, ordinal)
    return contested
  }
}
