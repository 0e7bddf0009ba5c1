import type { Token } from '../core/token.ts'
import type { HistoryEvent, RunRow } from './history.ts'
import type { StagedBatch } from './log.ts'
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

/** One generation's file: state, checkpoint, outbox and history. Synchronous. Throws STATE_*, DISK_FULL, IO_FAILED. */
export interface StateFile {
  checkpoint(): StoredCheckpoint | undefined
  outbox(): Outbox | undefined
  /** Opens a store, and makes its table when there is none. */
  table(identity: StoreIdentity): StoreTable
  /** The stores that the file has. */
  stores(): readonly StoreIdentity[]
  /** Removes a store and its rows, in the open transaction or in one of its own. */
  dropStore(name: string): void
  /** BEGIN IMMEDIATE, with a bounded wait (then STATE_BUSY). Does nothing inside a transaction. */
  begin(): void
  /** Writes everything and commits. On any error the transaction is rolled back and the first error is thrown. */
  commit(slice: SliceCommit): void
  /** Gives up the open transaction. Does nothing when there is none. */
  rollback(): void
  /** Removes the outbox after a start has found it delivered, in a transaction of its own. */
  dropOutbox(): void

  /** Writes a run's row in a transaction of its own. */
  putRun(run: RunRow): void
  run(runId: string): RunRow | undefined
  /** Newest first. */
  runs(limit?: number): readonly RunRow[]
  putEvents(events: readonly HistoryEvent[]): void
  /** Oldest first, `after` exclusive. */
  events(after?: number): readonly (HistoryEvent & { readonly number: number })[]

  /** Bounds the WAL: a truncating checkpoint. Returns the WAL's bytes after it, above 0 when a reader pins it. */
  truncateWal(): number
  /** Writes a consistent copy to `path`, which must not exist. */
  backup(path: string): Promise<void>
  /** May be called twice. */
  close(): void
}

/** Everything a job keeps on this machine. */
export interface StateDirectory {
  /** Opens, or with `create` makes, a generation's file. Undefined when it does not exist and `create` is not asked. */
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined
  /** Names of the generations that have a file. */
  generations(job: string): readonly string[]
  /** Names of the jobs that have a folder. */
  jobs(): readonly string[]
  remove(job: string, generation: string): void
  jobFile(job: string): JobFile
  /** Where a generation's file is, for people. */
  pathOf(job: string, generation: string): string
}

export interface GenerationRow {
  readonly name: string
  /** `live`: the one that run, stream and schedule use; the others are ranges, backfills and reprocessings. */
  readonly role: 'live' | 'range'
  /** The job file's path it was made with. */
  readonly jobPath: string
  /** The bounds asked, as text, for a range; else null. */
  readonly bounds: string | null
  readonly createdAt: number
  /** The last slice known to be committed, a copy for the case that the generation's file is lost. */
  readonly lastToken: Token | null
}

/** `job.db`: the instance and the list of generations. What repeats a generation's file is rebuilt from there. */
export interface JobFile {
  /** A UUID made with the file: this state directory, in leases. */
  instance(): string
  generations(): readonly GenerationRow[]
  putGeneration(row: GenerationRow): void
  removeGeneration(name: string): void
  close(): void
}
