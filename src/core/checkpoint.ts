import type { PartitionRange } from './offsets.ts'
import type { Token } from './token.ts'

/**
 * What one commit replaces, but the store rows. It is kept as JSON bytes: in the state file, and the same bytes outside.
 * Partitions are keyed `topic/partition`, operators `step/task`. Times are epoch ms.
 */
export interface Checkpoint {
  readonly version: 1
  readonly token: Token
  readonly clusterId: string
  /** Next offset to read. Every partition ever planned has one. */
  readonly offsets: Readonly<Record<string, number>>
  /** Greatest event time of each partition from its plan's `from` up to its offset; absent before the first record. */
  readonly floors: Readonly<Record<string, number>>
  /** Greatest valid event time ever seen in each partition. */
  readonly partitionTimes: Readonly<Record<string, number>>
  readonly streamTimes: Readonly<Record<string, number>>
  /** The record that moved stream time furthest, as `topic[partition]@offset`. */
  readonly streamTimeBy: string | null
  readonly topicIds: Readonly<Record<string, string>>
  /** Format of each store by name, as compared when the job opens. */
  readonly stores: Readonly<Record<string, string>>
  /** Rows of each store by name. */
  readonly storeSizes: Readonly<Record<string, number>>
  /** The changelog of each store that has one which is whole, by name. */
  readonly changelogs?: Readonly<Record<string, ChangelogStart>>
  /** Ids of topics that are the generation's own and hold no changelog which is whole: of stores that are gone, for instance. */
  readonly formerChangelogs?: readonly string[]
  /** Partitions of every exchange of the job, fixed at its first run. */
  readonly exchangePartitions: number
  /**
   * When each punctuation fires next, epoch ms, -1 once it is cancelled: by `step/number/task`, those by wall clock by
   * `step/number@clock/task`. Their order here is that in which those due together fire.
   */
  readonly punctuations: Readonly<Record<string, number>>
  /** The plan of a run that did not reach its end: `{runId, attempt, plan}`. */
  readonly unfinished: UnfinishedRun | null
  /** What the run that made this checkpoint did beside reading: a restore does it again. Null where no run made it. */
  readonly made: RunDeeds | null
  /** The generation that it is of: a start opens the one that the `live` record names. */
  readonly generation?: string
  /** What a switch to this generation has not yet put right outside: the next start does it first. */
  readonly corrections?: Corrections
  /** How far the history of another generation has been replayed into this one; absent where none was. */
  readonly replayed?: ReplayedPlace
}

/** A place in the history of a generation. */
export interface ReplayedPlace {
  readonly generation: string
  /** The token's number of its commit up to which everything is replayed. */
  readonly seq: number
  /** The run that this commit was of, where it was in the middle of its range: the rest of it goes on from here. */
  readonly runUnderWay: string | null
}

/** Corrections of table sinks that only this job writes, under way. */
export interface Corrections {
  /** The generation whose outputs are corrected: its file has them. */
  readonly from: string
  /** Topics that are not done, in order. */
  readonly topics: readonly string[]
  /** The last key that is done of the first topic, as base64url; null where none is. */
  readonly after: string | null
}

/** Where the changelog of a store begins: what lies before was written for an earlier store of that name. */
export interface ChangelogStart {
  /** Another topic under the same name has another id, and is not this changelog. */
  readonly topicId: string
  /** How the store's rows are keyed. */
  readonly shape: string
  /** First offset of each partition; 0 for those that are not named. */
  readonly from: readonly number[]
}

/** All that decides what a run came to, beside its records. */
export interface RunDeeds {
  readonly runId: string
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  /** Where stream time was moved at the run's end, epoch ms. */
  readonly advanceTo: number | null
  readonly closeWindows: boolean
  /** Records that were left out by request, or because user code failed on them. */
  readonly leftOut: readonly LeftOutRecord[]
  /** What was lost of its input, and accepted when it began. */
  readonly gaps?: readonly PartitionRange[]
}

export interface LeftOutRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly reason: 'asked' | 'user-error'
  readonly action: 'skip' | 'dead-letter'
}

export interface UnfinishedRun {
  readonly runId: string
  readonly attempt: number
  /** The plan as JSON text. */
  readonly plan: string
  /** The run's recorded clock: every attempt and slice of a run sees the same. */
  readonly now: number
  /** The run goes on when the plan is done: it has no end of its own. */
  readonly endless?: true
}

export function encodeCheckpoint(checkpoint: Checkpoint): Uint8Array {
  return Buffer.from(JSON.stringify(checkpoint), 'utf8')
}

export function decodeCheckpoint(bytes: Uint8Array): Checkpoint {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as Checkpoint
}
