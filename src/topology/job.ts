import type { Duration } from '../core/duration.ts'
import type { ScheduleOptions, ScheduleSettings } from './schedule-settings.ts'
import type { Topology } from './topology.ts'

export type BadDataPolicy = 'fail' | 'skip' | 'dead-letter'

/** A job's schedule and policies, with every default filled in. Times are ms. */
export interface JobSettings extends ScheduleSettings {
  /** Where streams start on the first run: any bound. */
  readonly start: string
  readonly isolation: 'read_committed' | 'read_uncommitted'
  /** How long a run waits for open transactions that hold back its input, before it is planned. */
  readonly waitForTransactionsMs: number
  /** Values and keys that cannot be decoded. */
  readonly onBadData: BadDataPolicy
  /** What to do with a record on which user code throws. */
  readonly onUserError: BadDataPolicy
  /** Topic for dead letters; needed where a policy is `dead-letter`. */
  readonly deadLetterTopic: string | null
  /** The run fails with SKIP_LIMIT_EXCEEDED when it skips or dead-letters more records than this. */
  readonly maxSkipped: number
  /** A record whose event time is later than the run's clock by more than `limitMs` is too far in the future. */
  readonly maxFutureSkew: { readonly limitMs: number; readonly then: BadDataPolicy } | null
  /** A slice ends after this many records, or this many staged bytes, whichever comes first. */
  readonly sliceRecords: number
  readonly sliceBytes: number
  /** Entries that the write-behind of a job holds before it spills. */
  readonly cacheEntries: number
  /** Stores are also kept in the log, where that is on another machine. */
  readonly changelog: boolean
  /** Rows of runs that the history keeps. */
  readonly keepRuns: number
}

/** The default export of a job file. */
export interface Job {
  readonly kind: 'tidemark-job'
  readonly name: string
  readonly settings: JobSettings
  readonly topology: Topology
}

/** What a job file may set: everything has a default. */
export interface JobOptions extends ScheduleOptions {
  /** Where streams start on the first run: any bound. Default `earliest`. */
  readonly start?: string
  /** Default `read_committed`. */
  readonly isolation?: 'read_committed' | 'read_uncommitted'
  /**
   * How long a run waits, before it is planned, for transactions of other programs that are open and hold back its input.
   * What they still hold back then is for the next run. Default 0: not at all.
   */
  readonly waitForTransactions?: Duration
  /** What to do with keys and values that cannot be decoded. Default `fail`. */
  readonly onBadData?: BadDataPolicy
  /** What to do with a record on which a callback throws. Default `fail`. */
  readonly onUserError?: BadDataPolicy
  /** Topic for dead letters, and for nothing else. Needed where a policy is `dead-letter`. */
  readonly deadLetterTopic?: string
  /** How many records a run may skip or dead-letter before it fails. Default 1000. */
  readonly maxSkipped?: number
  /** What to do with a record whose time is later than the run's clock by more than `limit`. Default: nothing. */
  readonly maxFutureSkew?: { readonly limit: Duration; readonly then: BadDataPolicy }
  /** A slice ends after this many records, or this many staged bytes. */
  readonly sliceRecords?: number
  readonly sliceBytes?: number
  /** Entries that the write-behind holds before it spills. */
  readonly cacheEntries?: number
  /** False: stores are not kept in Kafka too, and a state that is lost is lost. Default true. */
  readonly changelog?: boolean
  /** How many runs the history keeps with their plans, counts and digests. Default 10000. What a replay needs always stays. */
  readonly keepRuns?: number
}
