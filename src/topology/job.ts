import type { Duration } from '../core/duration.ts'
import type { Topology } from './topology.ts'

export type BadDataPolicy = 'fail' | 'skip' | 'dead-letter'

/** A job's schedule and policies, with every default filled in. Times are ms. */
export interface JobSettings {
  /** Cron expression, or null for a job that only people start. */
  readonly schedule: string | null
  readonly timezone: string
  /** Where streams start on the first run: any bound. */
  readonly start: string
  readonly isolation: 'read_committed' | 'read_uncommitted'
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
}

/** The default export of a job file. */
export interface Job {
  readonly kind: 'tidemark-job'
  readonly name: string
  readonly settings: JobSettings
  readonly topology: Topology
}

/** What a job file may set: everything has a default. */
export interface JobOptions {
  readonly schedule?: string
  readonly timezone?: string
  readonly start?: string
  readonly isolation?: 'read_committed' | 'read_uncommitted'
  readonly onBadData?: BadDataPolicy
  readonly onUserError?: BadDataPolicy
  readonly deadLetterTopic?: string
  readonly maxSkipped?: number
  readonly maxFutureSkew?: { readonly limit: Duration; readonly then: BadDataPolicy }
  readonly sliceRecords?: number
  readonly sliceBytes?: number
  readonly cacheEntries?: number
}
