import type Sqlite from 'better-sqlite3'
import { type ByteString, fromByteString, toByteString } from '../../../core/bytes.ts'
import type { RowRange, StoreRow, StoreShape, StoreTable } from '../../../ports/store-table.ts'
import { ScanQuery } from './scan-query.ts'
import { deleteSql, getSql, putSql, quoted } from './store-sql.ts'
import type { Transaction } from './transaction.ts'

type Statement<Row = unknown> = Sqlite.Statement<unknown[], Row>
type Found = readonly [value: Buffer, timestamp: number, task: number]
type Scanned = readonly [key: Buffer, time: number, ordinal: number, value: Buffer, timestamp: number, task: number]

const FIRST_PAGE_ROWS = 64
/** Where a page costs a look at every row, it has to be worth it. */
const FIRST_SORTED_PAGE_ROWS = 65_536
const PAGE_BYTES = 1024 * 1024

/** A store as a table of its own. Scans fetch pages, so no statement stays open between two rows. */
export class SqliteStoreTable implements StoreTable {
  readonly name: string
  readonly shape: StoreShape
  readonly #table: string
  readonly #transaction: Transaction
  readonly #get: Statement<Found>
  readonly #put: Statement
  readonly #delete: Statement
  readonly #scans = new Map<string, Statement<Scanned>>()

  /** `table` is the name of the table that the store has. */
  constructor(transaction: Transaction, name: string, shape: StoreShape, table: string) {
    this.name = name
    this.shape = shape
    this.#table = quoted(table)
    this.#transaction = transaction
    const { db } = transaction
    this.#get = db.prepare<unknown[], Found>(getSql(shape, this.#table)).raw()
    this.#put = db.prepare(putSql(shape, this.#table))
    this.#delete = db.prepare(deleteSql(shape, this.#table))
  }

  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined {
    this.#transaction.read()
    const bytes = fromByteString(key)
    let found: Found | undefined
    try {
      if (this.shape === 'key-value') found = this.#get.get(bytes)
      else if (this.shape === 'window') found = this.#get.get(time, bytes)
      else found = this.#get.get(bytes, time, ordinal)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
    if (found === undefined) return undefined
    return { key, time, ordinal, value: found[0], timestamp: found[1], task: found[2] }
  }

  put(row: StoreRow): void {
    this.#transaction.requireOpen()
    const bytes = fromByteString(row.key)
    const { time, value, timestamp, task } = row
    try {
      if (this.shape === 'key-value') this.#put.run(bytes, value, timestamp, task)
      else if (this.shape === 'window') this.#put.run(time, bytes, value, timestamp, task)
      else this.#put.run(bytes, time, row.ordinal, value, timestamp, task)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  delete(key: ByteString, time: number, ordinal: number): void {
    this.#transaction.requireOpen()
    const bytes = fromByteString(key)
    try {
      if (this.shape === 'key-value') this.#delete.run(bytes)
      else if (this.shape === 'window') this.#delete.run(time, bytes)
      else this.#delete.run(bytes, time, ordinal)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  *scan(range: RowRange): IterableIterator<StoreRow> {
    const query = new ScanQuery(this.shape, this.#table, range)
    let limit = query.sorts ? FIRST_SORTED_PAGE_ROWS : FIRST_PAGE_ROWS
    let last: StoreRow | undefined
    for (;;) {
      const rows = this.#page(query, last, limit)
      let bytes = 0
      for (const [key, time, ordinal, value, timestamp, task] of rows) {
        bytes += key.length + value.length
        last = { key: toByteString(key), time, ordinal, value, timestamp, task }
        yield last
      }
      if (rows.length < limit) return
      if (bytes < PAGE_BYTES) limit *= 2
      else if (bytes > 2 * PAGE_BYTES) limit = Math.ceil(limit / 2)
    }
  }

  expire(task: number, beforeTime: number): number {
    this.#transaction.requireOpen()
    if (this.shape === 'key-value') return 0
    try {
      const sql = `DELETE FROM ${this.#table} WHERE time < ? AND task = ?`
      return this.#transaction.db.prepare(sql).run(beforeTime, task).changes
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  latestTime(task: number): number {
    if (this.shape === 'key-value')
      return this.#number(`SELECT 0 FROM ${this.#table} WHERE task = ? LIMIT 1`, task) ?? -1
    return this.#number(`SELECT time FROM ${this.#table} WHERE task = ? ORDER BY time DESC LIMIT 1`, task) ?? -1
  }

  size(): number {
    return this.#number(`SELECT count(*) FROM ${this.#table}`) ?? 0
  }

  #number(sql: string, ...parameters: readonly unknown[]): number | undefined {
    this.#transaction.read()
    try {
      return this.#transaction.db
        .prepare<unknown[], number>(sql)
        .pluck()
        .get(...parameters)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  #page(query: ScanQuery, last: StoreRow | undefined, limit: number): readonly Scanned[] {
    const page = query.page(last, limit)
    if (page === undefined) return []
    this.#transaction.read()
    try {
      let statement = this.#scans.get(page.sql)
      if (statement === undefined) {
        statement = this.#transaction.db.prepare<unknown[], Scanned>(page.sql).raw()
        this.#scans.set(page.sql, statement)
      }
      return statement.all(...page.parameters)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }
}
