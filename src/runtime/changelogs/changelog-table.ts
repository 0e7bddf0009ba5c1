import type { ByteString } from '../../core/bytes.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import type { NewRow, RowRange, StoreRow, StoreTable } from '../../ports/store-table.ts'
import type { BatchStager } from '../batch-stager.ts'
import { changelogKey, type RowAddress } from './changelog-key.ts'

/** A store whose writes also go to its changelog, into the partition of the task that writes. */
export class ChangelogTable implements StoreTable {
  readonly #table: StoreTable
  readonly #stager: BatchStager

  constructor(table: StoreTable, stager: BatchStager) {
    this.#table = table
    this.#stager = stager
  }

  get name(): string {
    return this.#table.name
  }

  get shape(): StoreTable['shape'] {
    return this.#table.shape
  }

  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined {
    return this.#table.get(key, time, ordinal)
  }

  /** A row whose task changes leaves a tombstone in the partition of the old one. */
  put(row: NewRow): void {
    const before = this.#table.get(row.key, row.time, row.ordinal)
    if (before !== undefined && before.task !== row.task) this.#tombstone(before)
    this.#table.put(row)
    this.#stage(row)
  }

  load<Row extends NewRow>(rows: readonly Row[]): readonly Row[] {
    const leftOut = this.#table.load(rows)
    for (const row of rows) if (leftOut.length === 0 || !leftOut.includes(row)) this.#stage(row)
    return leftOut
  }

  delete(key: ByteString, time: number, ordinal: number): void {
    const before = this.#table.get(key, time, ordinal)
    if (before === undefined) return
    this.#tombstone(before)
    this.#table.delete(key, time, ordinal)
  }

  scan(range: RowRange): IterableIterator<StoreRow> {
    return this.#table.scan(range)
  }

  expire(task: number, beforeTime: number): number {
    for (const row of this.#table.scan({ task, toTime: beforeTime, order: 'time' })) this.#tombstone(row)
    return this.#table.expire(task, beforeTime)
  }

  latestTime(task?: number): number {
    return this.#table.latestTime(task)
  }

  size(): number {
    return this.#table.size()
  }

  #stage(row: NewRow): void {
    this.#stager.appendTo(row.task, changelogKey(this.shape, row), row.value, row.timestamp, NO_HEADERS)
  }

  #tombstone(row: RowAddress & Pick<StoreRow, 'task' | 'timestamp'>): void {
    this.#stager.appendTo(row.task, changelogKey(this.shape, row), null, row.timestamp, NO_HEADERS)
  }
}
