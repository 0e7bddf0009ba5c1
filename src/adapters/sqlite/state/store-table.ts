import type Sqlite from 'better-sqlite3'
import { type ByteString, type Bytes, fromByteString, isAscii, toByteString } from '../../../core/bytes.ts'
import type { NewRow, RowRange, StoreRow, StoreShape, StoreTable } from '../../../ports/store-table.ts'
import { ScanQuery } from './scan-query.ts'
import { deleteSql, expireSql, getSql, latestTimeSql, loadSql, putSql, type StoreLayout, sizeSql } from './store-sql.ts'
import type { Transaction } from './transaction.ts'

type Statement<Row = unknown> = Sqlite.Statement<unknown[], Row>
type Found = readonly [value: Buffer, timestamp: number, task: number]
type Scanned = readonly [key: Buffer, time: number, ordinal: number, value: Buffer, timestamp: number, task: number]

const FIRST_PAGE_ROWS = 64
/** A statement that puts many rows costs less than as many statements. */
const LOADED_AT_ONCE = 16
/** What a page should come to. */
const PAGE_BYTES = 128 * 1024
/** The same where each page costs a look at all rows. */
const SORTED_PAGE_BYTES = 16 * 1024 * 1024

/** A store as a table of its own. Scans fetch pages, so no statement stays open between two rows. */
export class SqliteStoreTable implements StoreTable {
  readonly name: string
  readonly shape: StoreShape
  readonly #layout: StoreLayout
  readonly #transaction: Transaction
  readonly #get: Statement<Found>
  readonly #put: Statement
  readonly #delete: Statement
  /** By the number of rows that each puts. */
  readonly #loads = new Map<number, Statement>()
  readonly #scans = new Map<string, Statement<Scanned>>()

  /** The store's table has to be there. */
  constructor(transaction: Transaction, name: string, layout: StoreLayout) {
    this.name = name
    this.shape = layout.shape
    this.#layout = layout
    this.#transaction = transaction
    const { db } = transaction
    this.#get = db.prepare<unknown[], Found>(getSql(layout)).raw()
    this.#put = db.prepare(putSql(layout))
    this.#delete = db.prepare(deleteSql(layout))
  }

  get(key: ByteString, time: number, ordinal: number): StoreRow | undefined {
    this.#transaction.read()
    const bytes = bound(key)
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

  put(row: NewRow): void {
    this.#transaction.requireOpen()
    const bytes = bound(row.key)
    const { time, timestamp, task } = row
    const value = bound(row.value)
    try {
      if (this.shape === 'key-value') this.#put.run(bytes, value, timestamp, task)
      else if (this.shape === 'window') this.#put.run(time, bytes, value, timestamp, task)
      else this.#put.run(bytes, time, row.ordinal, value, timestamp, task)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  load<Row extends NewRow>(rows: readonly Row[]): readonly Row[] {
    this.#transaction.requireOpen()
    const leftOut: Row[] = []
    for (let at = 0; at < rows.length; at += LOADED_AT_ONCE) {
      const some = rows.slice(at, at + LOADED_AT_ONCE)
      if (this.#loaded(some)) continue
      for (const row of some) {
        if (this.get(row.key, row.time, row.ordinal)?.task !== row.task) leftOut.push(row)
      }
    }
    return leftOut
  }

  /** True where all were put. */
  #loaded(rows: readonly NewRow[]): boolean {
    const values: unknown[] = []
    for (const { key, time, ordinal, value, timestamp, task } of rows) {
      const bytes = bound(key)
      if (this.shape === 'key-value') values.push(bytes, bound(value), timestamp, task)
      else if (this.shape === 'window') values.push(time, bytes, bound(value), timestamp, task)
      else values.push(bytes, time, ordinal, bound(value), timestamp, task)
    }
    try {
      return this.#load(rows.length).run(values).changes === rows.length
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  #load(rows: number): Statement {
    let statement = this.#loads.get(rows)
    if (statement === undefined) {
      statement = this.#transaction.db.prepare(loadSql(this.#layout, rows))
      this.#loads.set(rows, statement)
    }
    return statement
  }

  delete(key: ByteString, time: number, ordinal: number): void {
    this.#transaction.requireOpen()
    const bytes = bound(key)
    try {
      if (this.shape === 'key-value') this.#delete.run(bytes)
      else if (this.shape === 'window') this.#delete.run(time, bytes)
      else this.#delete.run(bytes, time, ordinal)
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  *scan(range: RowRange): IterableIterator<StoreRow> {
    const query = new ScanQuery(this.#layout, range)
    const pageBytes = query.sorts ? SORTED_PAGE_BYTES : PAGE_BYTES
    let limit = FIRST_PAGE_ROWS
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
      if (bytes < pageBytes) limit *= 2
      else if (bytes > 2 * pageBytes) limit = Math.ceil(limit / 2)
    }
  }

  expire(task: number, beforeTime: number): number {
    this.#transaction.requireOpen()
    if (this.shape === 'key-value') return 0
    try {
      return this.#transaction.db.prepare(expireSql(this.#layout)).run(beforeTime, task).changes
    } catch (error) {
      throw this.#transaction.failed(error)
    }
  }

  latestTime(task?: number): number {
    const sql = latestTimeSql(this.#layout, task !== undefined)
    return (task === undefined ? this.#number(sql) : this.#number(sql, task)) ?? -1
  }

  size(): number {
    return this.#number(sizeSql(this.#layout)) ?? 0
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

/** Bytes as they are given to a statement. */
function bound(bytes: Bytes): string | Uint8Array {
  return typeof bytes === 'string' && !isAscii(bytes) ? fromByteString(bytes) : bytes
}
