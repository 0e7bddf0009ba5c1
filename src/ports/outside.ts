import type { Token } from '../core/token.ts'
import type { StagedBatch } from './log.ts'

/** What the outside keeps for a job: the last commit, as one record that is replaced. */
export interface CommitRecord {
  /** Null in a claim where no commit was ever made. */
  readonly token: Token | null
  /** All that the state file committed but the store rows; the same bytes at every delivery. Null in such a claim. */
  readonly checkpoint: Uint8Array | null
  readonly delivery: Delivery
}

/** The part of a commit record that is new with each delivery. */
export interface Delivery {
  /** The state directory that wrote it. */
  readonly instance: string
  readonly runId: string
  /** Epoch milliseconds until which no other instance may start; 0 when the run has ended. */
  readonly leaseUntil: number
  /** True for a run's last record: the outside keeps it as a cut. */
  readonly endsRun: boolean
}

/**
 * One job's transactional way out. The order is begin, send*, acknowledged, then commit or abort.
 * After commit returns, the batches and the record are visible together to a read-committed reader; after a crash at any
 * moment either both are or neither is.
 */
export interface Outside {
  /** The record now in force, or undefined. */
  read(): Promise<CommitRecord | undefined>
  /** The records of past runs' ends (`endsRun`), each as it was committed, oldest first, as far as they are kept. */
  cuts(): Promise<readonly CommitRecord[]>
  /** Need not keep the cuts whose tokens have these numbers any longer. */
  forgetCuts(seqs: readonly number[]): Promise<void>
  /**
   * Makes this instance the only one that may commit, and writes the record in force again with `delivery`: as a cut too,
   * where `endsRun` says so. Gives the record as it is then.
   * Throws LEASED, naming the instance and until when, where another's lease is live at `nowMs`, unless `takeOver`.
   * Throws FENCED on a handle that was fenced before: an instance that lost the job does not take it back unasked.
   */
  claim(delivery: Delivery, nowMs: number, takeOver: boolean): Promise<CommitRecord>
  begin(): Promise<void>
  /**
   * Resolves when more may be sent. The bytes stay as they are until they are acknowledged, or dropped. Throws
   * OUTPUT_REFUSED, naming topic, key and size, for what can never be accepted.
   */
  send(batches: readonly StagedBatch[]): Promise<void>
  /** Resolves when everything sent is acknowledged. Throws OUTPUT_REFUSED, LOG_UNREACHABLE or FENCED. */
  acknowledged(): Promise<void>
  /**
   * Where the record in force has `record.token` already, nothing happens: it was delivered before. Throws FENCED when it
   * has neither that token nor its parent (no token, for a first one), or when another instance has claimed it since.
   */
  commit(record: CommitRecord): Promise<void>
  /** Drops an open transaction. Does nothing when there is none. */
  abort(): Promise<void>
  /** May be called twice. */
  close(): Promise<void>
}
