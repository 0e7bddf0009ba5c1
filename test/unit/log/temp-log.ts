import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { SqliteLog, type SqliteLogOptions } from '../../../src/adapters/sqlite/log/log.ts'

/** A log file of one test, with handles that are closed at its end. */
export class TempLog implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'tidemark-log-'))
  readonly path = join(this.folder, 'log.db')
  readonly #open: { close(): unknown }[] = []

  open(options?: SqliteLogOptions): SqliteLog {
    const log = SqliteLog.open(this.path, options)
    this.#open.push(log)
    return log
  }

  /** The file as SQLite sees it. */
  raw(): Sqlite.Database {
    const db = new Sqlite(this.path, { timeout: 0 })
    this.#open.push(db)
    return db
  }

  count(table: string): number {
    return Number(this.raw().prepare(`SELECT count(*) FROM ${table}`).pluck().get())
  }

  [Symbol.dispose](): void {
    for (const handle of this.#open) handle.close()
    rmSync(this.folder, { recursive: true })
  }
}
