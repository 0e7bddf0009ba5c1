import { asBytes, type ByteString } from '../../core/bytes.ts'
import type { NewRow, RowRange, StoreRow, StoreShape, StoreTable } from '../../ports/store-table.ts'
import type { MemoryRows } from './state-rows.ts'
import type { MemoryTransaction } from './state-transaction.ts'

/** A store in memory. Bytes are copied on their way in and out, as a disk would. */
export class MemoryStoreTable implements StoreTable {
  readonly name: string
  readonly shape: StoreShape
  readonly #transaction: MemoryTransaction

  constructor(transaction: MemoryTransaction, name: string, shape: StoreShape) {
    this.#transaction = transaction
    this.name = name
    this.shape = shape
  }

  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined {
    const row = this.#rows()?.get({ key, time, ordinal })
    return row === undefined ? undefined : copyOf(row)
  }

  put(row: NewRow): void {
    this.#transaction.rowsToChange(this.name).put(copyOf(row))
  }

  load<Row extends NewRow>(rows: readonly Row[]): readonly Row[] {
    const table = this.#transaction.rowsToChange(this.name)
    return rows.filter((row) => {
      const found = table.get(row)
      if (found !== undefined && found.task !== row.task) return true
      table.put(copyOf(row))
      return false
    })
  }

  delete(key: ByteString, time: number, ordinal: number): void {
    this.#transaction.rowsToChange(this.name).delete({ key, time, ordinal })
  }

  *scan(range: RowRange): IterableIterator<StoreRow> {
    for (const row of this.#rows()?.select(range) ?? []) yield copyOf(row)
  }

  expire(task: number, beforeTime: number): number {
    const rows = this.#transaction.rowsToChange(this.name)
    if (this.shape === 'key-value') return 0
    return rows.keep((row) => row.task !== task || row.time >= beforeTime)
  }

  latestTime(task?: number): number {
    let latest = -1
    for (const { time } of this.#rows()?.select(task === undefined ? {} : { task }) ?? [])
      latest = Math.max(latest, time)
    return latest
  }

  size(): number {
    return this.#rows()?.size ?? 0
  }

  #rows(): MemoryRows | undefined {
    return this.#transaction.contents.stores.get(this.name)?.rows
  }
}

function copyOf(row: NewRow): StoreRow {
  return { ...row, value: Uint8Array.from(asBytes(row.value)) }
}
