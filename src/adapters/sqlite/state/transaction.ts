import type Sqlite from 'better-sqlite3'
import { openedToRead } from '../../state-rules/opened-to-read.ts'
import type { Database } from '../database.ts'
import { type SqliteSubject, translateSqliteError } from '../sqlite-error.ts'

/**
 * The one write transaction of a connection, as its user sees it. SQLite may roll back by itself (disk full); what is
 * written afterwards would then be a transaction of its own. So this keeps the first error, and nothing is written or
 * committed before `rollback` has cleared it. Where a rollback fails the connection is dropped.
 */
export class Transaction {
  readonly db: Database
  readonly #subject: SqliteSubject
  readonly #looksOn: boolean
  readonly #begin: Sqlite.Statement
  readonly #beginReading: Sqlite.Statement
  readonly #commit: Sqlite.Statement
  readonly #rollback: Sqlite.Statement
  #open = false
  #failure: { error: unknown } | undefined
  #reading = false
  #dropped: { error: unknown } | undefined

  constructor(db: Database, subject: SqliteSubject) {
    this.db = db
    this.#subject = subject
    this.#looksOn = db.readonly
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#beginReading = db.prepare('BEGIN')
    this.#commit = db.prepare('COMMIT')
    this.#rollback = db.prepare('ROLLBACK')
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Does nothing where one is open. Throws what spoilt that one, or STATE_BUSY. */
  begin(): void {
    if (this.#open) {
      this.requireOpen()
      return
    }
    if (this.#dropped !== undefined) throw this.#dropped.error
    this.endReading()
    if (this.#looksOn) throw openedToRead(this.#subject.path)
    try {
      this.#begin.run()
    } catch (error) {
      throw this.failed(error)
    }
    this.#open = true
  }

  /** Before each write: throws unless a transaction is open and sound. */
  requireOpen(): void {
    if (this.#failure !== undefined) throw this.#failure.error
    if (this.#dropped !== undefined) throw this.#dropped.error
    if (!this.#open) throw new Error(`a write to the ${this.#subject.what} needs an open transaction`)
    if (!this.db.inTransaction) throw this.failed(new Error(`the transaction on ${this.#subject.path} is gone`))
  }

  /** What to throw for an error that a statement raised: translated, or the one that spoilt the transaction before. */
  failed(error: unknown): unknown {
    if (this.#dropped !== undefined) return this.#dropped.error
    if (this.#failure !== undefined) return this.#failure.error
    const translated = translateSqliteError(error, this.#subject)
    if (this.#open) this.#failure = { error: translated }
    return translated
  }

  /** Does `work` in the transaction and commits, or rolls back and throws the first error. */
  commit(work: () => void): void {
    try {
      this.begin()
      work()
      this.requireOpen()
      this.#commit.run()
      this.#open = false
    } catch (error) {
      const first = this.failed(error)
      this.rollback()
      throw first
    }
  }

  /** Does `work` in the open transaction, or in one of its own. */
  within(work: () => void): void {
    if (!this.#open) {
      this.commit(work)
      return
    }
    this.requireOpen()
    try {
      work()
    } catch (error) {
      throw this.failed(error)
    }
  }

  /** Does `work` in a transaction of its own; a caller that has one open has made a mistake. */
  alone(work: () => void): void {
    if (this.#open) throw new Error(`a transaction on the ${this.#subject.what} is open`)
    this.commit(work)
  }

  /** Never throws. */
  rollback(): void {
    try {
      if (this.#open && this.db.inTransaction) this.#rollback.run()
    } catch (error) {
      this.#dropped = { error: this.failed(error) }
      this.#drop()
    } finally {
      this.#open = false
      this.#failure = undefined
    }
  }

  /**
   * Before a read: keeps one read transaction for all reads of this turn of the event loop, for taking and giving back
   * the lock costs as much as a look-up. Only the lock's holder writes, so nobody's writes are missed meanwhile. A
   * read-only connection does not: it belongs to somebody who looks on.
   */
  read(): void {
    if (this.#reading || this.#open || this.#looksOn) return
    if (this.#dropped !== undefined) throw this.#dropped.error
    try {
      this.#beginReading.run()
    } catch (error) {
      throw this.failed(error)
    }
    this.#reading = true
    setImmediate(() => this.endReading())
  }

  /** Does `work` after `read`. */
  reading<T>(work: () => T): T {
    this.read()
    try {
      return work()
    } catch (error) {
      throw this.failed(error)
    }
  }

  /** Does `work` outside any transaction; a caller that has one open has made a mistake. */
  outside<T>(work: () => T): T {
    if (this.#open) throw new Error(`a transaction on the ${this.#subject.what} is open`)
    this.endReading()
    try {
      return work()
    } catch (error) {
      throw this.failed(error)
    }
  }

  endReading(): void {
    if (!this.#reading) return
    this.#reading = false
    if (this.db.open && this.db.inTransaction) this.#commit.run()
  }

  /** Gives up the open transaction and the connection. May be called twice. */
  close(): void {
    if (!this.db.open) return
    this.endReading()
    this.rollback()
    this.#drop()
  }

  #drop(): void {
    try {
      this.db.close()
    } catch {
      // a statement is in use; nothing goes through this connection any more
    }
  }
}
