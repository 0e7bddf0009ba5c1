import { resolve } from 'node:path'
import { TidemarkError } from '../../../core/errors.ts'
import { type Database, openDatabase } from '../database.ts'
import { type SqliteSubject, translateSqliteError } from '../sqlite-error.ts'
import { Transaction } from '../state/transaction.ts'
import { LOG_FILE } from './log-schema.ts'
import { LogTables } from './log-tables.ts'

interface Connection {
  readonly transaction: Transaction
  readonly tables: LogTables
}

export interface LogFileLimits {
  /** How long to wait for another process's write before STATE_BUSY. The process stands still meanwhile. */
  readonly busyTimeoutMs?: number
  /** The file grows up to this size; what does not fit is refused with DISK_FULL. Default: no limit but the disk's. */
  readonly maxFileBytes?: number
}

/** The connection to a log's file, opened at first use. Every call is one short transaction. */
export class LogFile {
  readonly #subject: SqliteSubject
  readonly #limits: LogFileLimits
  #connection: Connection | undefined
  #closed = false

  constructor(path: string, limits: LogFileLimits = {}) {
    this.#subject = { what: LOG_FILE.what, path: resolve(path) }
    this.#limits = limits
  }

  /** Makes the file where there is none. */
  create(): void {
    this.#connection ??= this.#open('create')
  }

  /** Sees one state of the log. Throws LOG_UNREACHABLE where there is no file. */
  read<T>(work: (tables: LogTables) => T): T {
    const { transaction, tables } = this.#connected()
    const { db } = transaction
    try {
      return db.inTransaction ? work(tables) : db.transaction(work)(tables)
    } catch (error) {
      throw translateSqliteError(error, this.#subject)
    }
  }

  /** A number that is another one when another connection has changed the file; our own writes do not count. */
  version(): number {
    try {
      return this.#connected().tables.version()
    } catch (error) {
      throw translateSqliteError(error, this.#subject)
    }
  }

  /** All of `work` or, when it throws, none. Waits a bounded time for other writers, then throws STATE_BUSY. */
  write<T>(work: (tables: LogTables) => T): T {
    const { transaction, tables } = this.#connected()
    const results: T[] = []
    transaction.alone(() => results.push(work(tables)))
    return results[0] as T
  }

  close(): void {
    this.#closed = true
    this.#connection?.transaction.close()
    this.#connection = undefined
  }

  #connected(): Connection {
    this.#connection ??= this.#open('write')
    return this.#connection
  }

  #open(mode: 'create' | 'write'): Connection {
    if (this.#closed) throw new Error('the log is closed')
    const { path } = this.#subject
    const { busyTimeoutMs, maxFileBytes } = this.#limits
    const db = openDatabase(path, LOG_FILE, { mode, ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }) })
    if (db === undefined) {
      throw new TidemarkError('LOG_UNREACHABLE', `there is no log at ${path}`, {
        hint: 'Name another with --log or TIDEMARK_LOG; `tidemark log create` and `log import` make one.',
      })
    }
    if (maxFileBytes !== undefined) limitSize(db, maxFileBytes)
    return { transaction: new Transaction(db, this.#subject), tables: new LogTables(db) }
  }
}

function limitSize(db: Database, bytes: number): void {
  const pageBytes = Number(db.pragma('page_size', { simple: true }))
  db.pragma(`max_page_count = ${Math.max(1, Math.floor(bytes / pageBytes))}`)
}
