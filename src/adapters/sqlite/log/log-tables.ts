import type Sqlite from 'better-sqlite3'
import type { Database } from '../database.ts'
import { BatchRows } from './batch-rows.ts'
import { CommitRows } from './commit-rows.ts'
import { TopicRows } from './topic-rows.ts'

/** The tables of a log's file, as rows. They are used inside the transactions of `LogFile` alone. */
export class LogTables {
  readonly topics: TopicRows
  readonly batches: BatchRows
  readonly commits: CommitRows
  readonly #version: Sqlite.Statement<[], number>

  constructor(db: Database) {
    this.topics = new TopicRows(db)
    this.batches = new BatchRows(db)
    this.commits = new CommitRows(db)
    this.#version = db.prepare<[], number>('PRAGMA data_version').pluck()
  }

  /** Another number when another connection has changed the file. */
  version(): number {
    return this.#version.get() ?? 0
  }
}
