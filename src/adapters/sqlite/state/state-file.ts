import type { HistoryEvent, NumberedEvent, RunRow, RunStatus } from '../../../ports/history.ts'
import type { Outbox, SliceCommit, StateFile, StoredCheckpoint, StoreIdentity } from '../../../ports/state-file.ts'
import type { StoreTable } from '../../../ports/store-table.ts'
import { copyDatabase } from '../copy-database.ts'
import { type Database, databaseBytes } from '../database.ts'
import { CheckpointRows } from './checkpoint-rows.ts'
import { HistoryRows } from './history-rows.ts'
import { STATE_FILE } from './state-schema.ts'
import { StoreCatalog } from './store-catalog.ts'
import { Transaction } from './transaction.ts'

/** Half of what the write-behind's rows of a slice touch, on a table of a million. */
const PAGE_CACHE_KIB = 32 * 1024
/** Covers those who read for a moment; one that pins the WAL may stay for hours. */
const READER_LEAVES_MS = 100

/** A generation's file. */
export class SqliteStateFile implements StateFile {
  readonly #db: Database
  readonly #transaction: Transaction
  readonly #catalog: StoreCatalog
  readonly #rows: CheckpointRows
  readonly #history: HistoryRows

  /** `db` is an open STATE_FILE, and this handle's alone. */
  constructor(db: Database) {
    this.#db = db
    db.pragma(`cache_size = -${PAGE_CACHE_KIB}`)
    this.#transaction = new Transaction(db, { what: STATE_FILE.what, path: db.name })
    this.#catalog = new StoreCatalog(this.#transaction)
    this.#rows = new CheckpointRows(db)
    this.#history = new HistoryRows(db)
  }

  checkpoint(): StoredCheckpoint | undefined {
    return this.#transaction.reading(() => this.#rows.checkpoint())
  }

  outbox(): Outbox | undefined {
    return this.#transaction.reading(() => this.#rows.outbox())
  }

  table(identity: StoreIdentity): StoreTable {
    return this.#catalog.table(identity)
  }

  stores(): readonly StoreIdentity[] {
    return this.#catalog.list()
  }

  dropStore(name: string): void {
    this.#catalog.drop(name)
  }

  begin(): void {
    this.#transaction.begin()
  }

  commit({ checkpoint, outbox, run, events }: SliceCommit): void {
    const steps = [
      () => this.#rows.putCheckpoint(checkpoint),
      () => this.#rows.putOutbox(outbox),
      () => this.#history.putRun(run),
      () => this.#history.putEvents(events),
    ]
    this.#transaction.commit(() => {
      for (const step of steps) {
        this.#transaction.requireOpen()
        step()
      }
    })
  }

  rollback(): void {
    this.#transaction.rollback()
  }

  dropOutbox(): void {
    this.#transaction.alone(() => this.#rows.deleteOutbox())
  }

  putRun(run: RunRow): void {
    this.#transaction.alone(() => this.#history.putRun(run))
  }

  run(runId: string): RunRow | undefined {
    return this.#transaction.reading(() => this.#history.run(runId))
  }

  /** A negative limit is none. */
  runs(limit = -1, status: RunStatus | null = null): readonly RunRow[] {
    return this.#transaction.reading(() => this.#history.runs(limit, status))
  }

  pruneRuns(keep: number): void {
    this.#transaction.alone(() => this.#history.pruneRuns(keep))
  }

  putEvents(events: readonly HistoryEvent[]): void {
    this.#transaction.alone(() => this.#history.putEvents(events))
  }

  /** A negative limit is none. */
  events(after = 0, limit = -1): readonly NumberedEvent[] {
    return this.#transaction.reading(() => this.#history.events(after, limit))
  }

  replaceEvents(events: readonly NumberedEvent[], gone: readonly number[]): void {
    this.#transaction.alone(() => this.#history.replaceEvents(events, gone))
  }

  truncateWal(): number {
    return this.#transaction.outside(() => {
      const wait = Number(this.#db.pragma('busy_timeout', { simple: true }))
      try {
        this.#db.pragma(`busy_timeout = ${READER_LEAVES_MS}`)
        this.#db.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        this.#db.pragma(`busy_timeout = ${wait}`)
      }
      return databaseBytes(this.#db.name).wal
    })
  }

  backup(path: string): Promise<void> {
    return this.#transaction.outside(() => copyDatabase(this.#db, STATE_FILE, path))
  }

  close(): void {
    this.#transaction.close()
  }
}
