import type { Token } from '../core/token.ts'
import type { HistoryEvent, NumberedEvent, RunRow, RunStatus } from './history.ts'
import type { StagedBatch } from './log.ts'
import type { ScheduleTable } from './schedule-table.ts'
import type { StoreShape, StoreTable } from './store-table.ts'

/** The identity of a store: what is compared with the topology when a job opens. */
export interface StoreIdentity {
  readonly name: string
  readonly shape: StoreShape
  /** Everything that decides how its bytes read: serdes, window, aggregate version; compared as text. */
  readonly format: string
}

/** The row of the checkpoint: bytes for the outside, and the token apart so that it can be compared unparsed. */
export interface StoredCheckpoint {
  readonly token: Token
  readonly bytes: Uint8Array
}

/** What a slice has promised to the outside and may have to be delivered again. */
export interface Outbox {
  readonly token: Token
  readonly endsRun: boolean
  readonly batches: readonly StagedBatch[]
}

/** All that one slice commits beside the store rows written before. */
export interface SliceCommit {
  readonly checkpoint: StoredCheckpoint
  /** Replaces the outbox of the slice before. */
  readonly outbox: Outbox
  readonly run: RunRow
  readonly events: readonly HistoryEvent[]
}

/**
 * One generation's file: state, checkpoint, outbox and history. Synchronous. Throws STATE_*, DISK_FULL, IO_FAILED.
 *
 * There is at most one transaction, and only one handle of a file may have one. Until it commits, no other handle sees
 * what it wrote; this one does. One in which a write failed, or that the disk ended, cannot be committed any more.
 * Outside a transaction the reads of one turn of the event loop may all see the file as it was at the first of them:
 * only the holder of the lock writes, so it misses nothing.
 */
export interface StateFile {
  checkpoint(): StoredCheckpoint | undefined
  outbox(): Outbox | undefined
  /**
   * Opens a store, and makes its table when there is none, in the open transaction or in one of its own. The format is
   * not compared: see `stores`. Throws STATE_INCOMPATIBLE for another shape, STATE_MISSING for a store that is not there
   * in a file opened to read.
   */
  table(identity: StoreIdentity): StoreTable
  /** The stores that the file has, in the order in which they were made. */
  stores(): readonly StoreIdentity[]
  /** Removes a store and its rows, in the open transaction or in one of its own. Does nothing where there is none. */
  dropStore(name: string): void
  /** BEGIN IMMEDIATE, with a bounded wait (then STATE_BUSY). Does nothing inside a transaction. */
  begin(): void
  /**
   * Writes everything and commits; begins where that was not done. On any error the transaction is rolled back and the
   * first error, of this call or of a write before, is thrown.
   */
  commit(slice: SliceCommit): void
  /** Gives up the open transaction. Does nothing when there is none. Never throws. */
  rollback(): void
  /** Removes the outbox after a start has found it delivered, in a transaction of its own: none may be open. */
  dropOutbox(): void

  /** Writes a run's row, new or again, in a transaction of its own: none may be open. */
  putRun(run: RunRow): void
  run(runId: string): RunRow | undefined
  /** Newest first: by start, then by when they were first written. With `status`, those that have it. */
  runs(limit?: number, status?: RunStatus): readonly RunRow[]
  /** Removes all but the newest `keep` runs, of those that have ended, in a transaction of its own: none may be open. */
  pruneRuns(keep: number): void
  /** Appends to the history, in a transaction of its own: none may be open. */
  putEvents(events: readonly HistoryEvent[]): void
  /** Oldest first, `after` exclusive, `limit` at most. Numbers rise and are never given twice. */
  events(after?: number, limit?: number): readonly NumberedEvent[]
  /** Puts events in place of those of their numbers, and removes those in `gone`, in a transaction of its own: none may be open. */
  replaceEvents(events: readonly NumberedEvent[], gone: readonly number[]): void

  /** Bounds the WAL: a truncating checkpoint. Returns the WAL's bytes after it, above 0 when a reader pins it. */
  truncateWal(): number
  /** Writes a consistent copy of what is committed to `path`, whole or not at all. Throws USAGE when `path` exists. */
  backup(path: string): Promise<void>
  /** Gives up the open transaction. May be called twice. */
  close(): void
}

/**
 * Everything a job keeps on this machine. Names of jobs and generations are made of `[A-Za-z0-9._-]`, begin with a
 * letter or a digit, and no generation is called `job`: USAGE otherwise. Handles are independent of each other.
 */
export interface StateDirectory {
  /**
   * Opens, or with `create` makes, a generation's file. Undefined when it does not exist and `create` is not asked.
   * A file that is damaged, empty or unreadable is STATE_DAMAGED, one of another kind or a newer version
   * STATE_INCOMPATIBLE; neither is ever replaced or written.
   */
  open(job: string, generation: string, options: { create: true; readonly?: false }): StateFile
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined
  /** Names of the generations that have a file, sorted. */
  generations(job: string): readonly string[]
  /** Names of the jobs that keep something here, sorted. */
  jobs(): readonly string[]
  /** Removes a generation's file, damaged or not. No handle of it may be in use. Does nothing where there is none. */
  remove(job: string, generation: string): void
  /** Puts a copy of the backup at `path` in place. Throws USAGE when there is a file, or nothing at `path`. */
  restore(job: string, generation: string, path: string): Promise<void>
  /**
   * Puts a consistent copy of what a generation has committed in place of `as`, whole or not at all; others may write
   * meanwhile. What `as` had is gone. Throws USAGE where there is no such generation.
   */
  copy(job: string, generation: string, as: string): Promise<void>
  /** Makes the file where there is none. */
  jobFile(job: string): JobFile
  /** Where a generation's file is, for people. */
  pathOf(job: string, generation: string): string
  /** Bytes free where the files are, or undefined where that cannot be told. */
  freeBytes(): number | undefined
}

export interface GenerationRow {
  readonly name: string
  /**
   * `live`: the one that run, stream and schedule use. `range`: a range of its own. `reprocessed`: replays the history of
   * the live one, to take its place. `retired`: was live, and is kept to go back to.
   */
  readonly role: 'live' | 'range' | 'reprocessed' | 'retired'
  /** Path of its job file, absolute; it is kept relative to the state, so that both can be moved together. */
  readonly jobPath: string
  /** What was asked, as text: the bounds of a range, the cuts of a reprocessing; else null. */
  readonly bounds: string | null
  /** Its results go out. Always so of the live one; a range says it once. */
  readonly published: boolean
  readonly createdAt: number
  /** The last slice known to be committed, a copy for the case that the generation's file is lost. */
  readonly lastToken: Token | null
}

/**
 * `job.db`: the instance, the list of generations, and the slots of the schedule. What repeats a generation's file is rebuilt from there. Every
 * write is a transaction of its own. Throws STATE_*, DISK_FULL, IO_FAILED.
 */
export interface JobFile {
  /** A UUID made with the file: this state directory, in leases. */
  instance(): string
  /** In the order in which they were first put. */
  generations(): readonly GenerationRow[]
  /** Replaces the row of the same name. */
  putGeneration(row: GenerationRow): void
  /** Does nothing where there is no such row. */
  removeGeneration(name: string): void
  readonly schedule: ScheduleTable
  /** May be called twice. */
  close(): void
}
