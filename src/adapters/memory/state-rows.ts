import type { RowRange, StoreRow, StoreShape } from '../../ports/store-table.ts'
import { type RowKey, rowOrder } from './state-row-order.ts'

/** The rows of one store in the order of its primary key. A copy shares the rows, which never change. */
export class MemoryRows {
  readonly shape: StoreShape
  readonly #compare: (left: RowKey, right: RowKey) => number
  #rows: StoreRow[]

  constructor(shape: StoreShape, rows: StoreRow[] = []) {
    this.shape = shape
    this.#compare = rowOrder(shape, undefined)
    this.#rows = rows
  }

  get size(): number {
    return this.#rows.length
  }

  copy(): MemoryRows {
    return new MemoryRows(this.shape, this.#rows.slice())
  }

  get(key: RowKey): StoreRow | undefined {
    const row = this.#rows[this.#place(key)]
    return row !== undefined && this.#compare(row, key) === 0 ? row : undefined
  }

  put(row: StoreRow): void {
    const place = this.#place(row)
    this.#rows.splice(place, this.get(row) === undefined ? 0 : 1, row)
  }

  delete(key: RowKey): void {
    if (this.get(key) !== undefined) this.#rows.splice(this.#place(key), 1)
  }

  /** Keeps the rows that pass; gives the number of the others. */
  keep(passes: (row: StoreRow) => boolean): number {
    const before = this.#rows.length
    this.#rows = this.#rows.filter(passes)
    return before - this.#rows.length
  }

  /** The rows of a range in its order. Rows written later do not show. */
  select({ fromKey, toKey, fromTime, toTime, task, order }: RowRange): readonly StoreRow[] {
    const selected = this.#rows.filter(
      (row) =>
        (fromKey === undefined || row.key >= fromKey) &&
        (toKey === undefined || row.key < toKey) &&
        (fromTime === undefined || row.time >= fromTime) &&
        (toTime === undefined || row.time < toTime) &&
        (task === undefined || row.task === task),
    )
    return order === undefined ? selected : selected.sort(rowOrder(this.shape, order))
  }

  /** Where the key is, or would be. */
  #place(key: RowKey): number {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = this.#rows[middle]
      if (row !== undefined && this.#compare(row, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
