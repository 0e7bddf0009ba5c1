import { resolve } from 'node:path'
import { TidemarkError } from '../../../core/errors.ts'
import { openDatabase } from '../database.ts'
import { type SqliteSubject, translateSqliteError } from '../sqlite-error.ts'
import { Transaction } from '../state/transaction.ts'
import { LOG_FILE } from './log-schema.ts'
import { LogTables } from './log-tables.ts'

interface Connection {
  readonly transaction: Transaction
  readonly tables: LogTables
}

/** The connection to a log's file, opened at first use. Every call is one short transaction. */
export class LogFile {
  readonly #subject: SqliteSubject
  readonly #busyTimeoutMs: number | undefined
  #connection: Connection | undefined
  #closed = false

  constructor(path: string, busyTimeoutMs?: number) {
    this.#subject = { what: LOG_FILE.what, path: resolve(path) }
    this.#busyTimeoutMs = busyTimeoutMs
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
    const timeout = this.#busyTimeoutMs === undefined ? {} : { busyTimeoutMs: this.#busyTimeoutMs }
    const db = openDatabase(path, LOG_FILE, { mode, ...timeout })
    if (db === undefined) {
      throw new TidemarkError('LOG_UNREACHABLE', `there is no log at ${path}`, {
        hint: 'Name another with --log or TIDEMARK_LOG; `tidemark log create` and `log import` make one.',
      })
    }
    return { transaction: new Transaction(db, this.#subject), tables: new LogTables(db) }
  }
}
