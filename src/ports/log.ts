import type { PartitionRange, TopicPartition } from '../core/offsets.ts'

/** A topic as the log describes it. `id` differs for a topic made again under the same name. */
export interface TopicDescription {
  readonly name: string
  readonly id: string
  readonly partitions: number
  /** Settings by Kafka's names (`cleanup.policy`, `retention.ms`, ...), as far as the log knows them. */
  readonly settings: Readonly<Record<string, string>>
}

export interface NewTopic {
  readonly name: string
  readonly partitions: number
  readonly settings?: Readonly<Record<string, string>>
}

/** What a job takes of a log. */
export interface LogNeeds {
  readonly job: string
  /** Names its commit record: `live`, or a generation. */
  readonly key: string
  readonly reads: readonly string[]
  /** Topics that it writes, with the settings that they get where they are missing. */
  readonly writes: readonly Omit<NewTopic, 'partitions'>[]
}

export type Isolation = 'read_committed' | 'read_uncommitted'

export interface PartitionBounds extends TopicPartition {
  /** The log start: the first offset that may still be there. */
  readonly start: number
  /** The first offset that a reader of this isolation may not read yet: last stable offset, or high watermark. */
  readonly end: number
  /** The next offset that will be written. `highWatermark - end` offsets are held back by open transactions. */
  readonly highWatermark: number
}

export interface TimeQuery extends TopicPartition {
  /** Epoch milliseconds. */
  readonly timestamp: number
}

/** Whole record batches (v2) of one partition, in offset order, with only what a reader of the isolation may see. */
export interface Chunk {
  /** One element for each batch that holds visible records; batches may reach outside the range: filter by offset. */
  readonly batches: readonly Uint8Array[]
  /** The position after everything this chunk stands for, holes and markers included. Greater than before, at most `to`. */
  readonly nextOffset: number
}

export interface ReadOptions {
  readonly isolation: Isolation
  /** Upper bound in bytes for what is held ahead of the caller, over all partitions. One batch may exceed it. */
  readonly bufferBytes?: number
  /** Fetching begins at once, where the log is read ahead of its caller; by default it begins with the first `next`. */
  readonly atOnce?: boolean
}

/** Reads a fixed set of ranges. Every range ends by position or fails by name; no call waits for records to come. */
export interface LogReader {
  /**
   * The next chunk of range number `index`, or undefined when its position has reached `to`.
   * Throws INPUT_LOST (out of range, truncated; also when it happens while the range is read), INPUT_MISSING (also for a
   * topic deleted meanwhile), INPUT_REPLACED (made again meanwhile), RECORD_BATCH_CORRUPT, LOG_UNREACHABLE.
   */
  next(index: number): Promise<Chunk | undefined>
  /** May be called twice. */
  close(): Promise<void>
}

/** The next offset to read of one partition. */
export interface PartitionPosition extends TopicPartition {
  readonly offset: number
}

/** Waits for records to come. One call at a time. */
export interface LogWatch {
  /**
   * Resolves soon after a partition holds something at or past its position that a reader of the isolation may see: at
   * once where it does so already. Resolves also after `waitMs`, when `signal` is aborted, when the watch is closed, and
   * where the log is in trouble: what that is, its other methods tell. It may resolve without a reason, never in a tight
   * circle.
   */
  arrival(positions: readonly PartitionPosition[], waitMs: number, signal?: AbortSignal): Promise<void>
  /** May be called twice. */
  close(): Promise<void>
}

/**
 * A log: where topics live. Bytes only. Every method may throw LOG_UNREACHABLE; a log that is a file may also throw
 * STATE_BUSY, STATE_DAMAGED, STATE_INCOMPATIBLE, DISK_FULL or IO_FAILED, which then name the file.
 */
export interface Log {
  /**
   * True where a job's state is also kept in the log, as changelog topics, so that another machine can take it over.
   * False for a log that lies on the same machine as the state.
   */
  readonly keepsChangelogs: boolean
  /** Identifies the cluster (or the file): another log under the same address has another id. */
  clusterId(): Promise<string>
  /** All topics, by name, when `names` is absent; else those of `names` that exist. Nothing is ever created by asking. */
  describe(names?: readonly string[]): Promise<readonly TopicDescription[]>
  /** In the order asked. Throws INPUT_MISSING for a topic or partition that does not exist. */
  bounds(partitions: readonly TopicPartition[], isolation: Isolation): Promise<readonly PartitionBounds[]>
  /**
   * For each query a lower bound of the first visible record at or past `timestamp`: no such record lies before it.
   * The high watermark at the time of asking when there is none. In the order asked. Throws INPUT_MISSING.
   */
  offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]>
  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader
  watch(isolation: Isolation): LogWatch
  /** The transactional way out for one job. `key` names the commit record: `live`, or a generation. */
  outside(job: string, key: string): Promise<Outside>
  admin(): LogAdmin
  /**
   * What would be in the way of a job that needs these: rights that the user lacks, limits that are too narrow. A sentence
   * each, as far as it can be told without doing anything: nothing is changed.
   */
  obstacles(needs: LogNeeds): Promise<readonly string[]>
  /** May be called twice. */
  close(): Promise<void>
}

/** What people and the runner do to topics. */
export interface LogAdmin {
  /** Throws USAGE when the topic exists, or its name or a setting is not allowed. */
  create(topic: NewTopic): Promise<TopicDescription>
  /** Throws INPUT_MISSING for a topic that does not exist. */
  delete(name: string): Promise<void>
  /** More partitions; settings replace those of the same name. Throws USAGE for fewer partitions, INPUT_MISSING. */
  alter(name: string, change: { partitions?: number; settings?: Readonly<Record<string, string>> }): Promise<void>
  /**
   * Appends record batches outside any transaction, all or none, each partition's in the order given; the offsets in them
   * are ignored and assigned anew. The batches are taken one after the other and their bytes are not kept, so they may be
   * more than memory holds; when taking one throws, nothing is appended and that error is thrown. Throws OUTPUT_REFUSED
   * for what can never be accepted: no such topic or partition, a record larger than `max.message.bytes`, a record
   * without key in a compacted topic.
   */
  append(batches: Iterable<StagedBatch>): Promise<void>
  /**
   * Removes what lies before `offset`: the log start moves there, never back. Throws INPUT_MISSING, and USAGE for an
   * offset past the high watermark.
   */
  trim(partition: TopicPartition, offset: number): Promise<void>
  /**
   * For every partition the offset to which the topic's `retention.ms` (against `nowMs`) and `retention.bytes` would move
   * the log start: `trim` does it. Nothing is ever removed on its own. Throws INPUT_MISSING.
   */
  expired(topic: string, nowMs: number): Promise<readonly (TopicPartition & { readonly offset: number })[]>
  /**
   * Keeps the last record of each key (and tombstones), drops records without key; offsets stay, holes remain.
   * Throws INPUT_MISSING, and USAGE for a topic whose `cleanup.policy` does not say `compact`.
   */
  compact(topic: string): Promise<void>
}

/** One encoded record batch on its way to a partition. Base offset and producer fields are stamped in a copy of it. */
export interface StagedBatch extends TopicPartition {
  readonly bytes: Uint8Array
  readonly records: number
}

import type { Outside } from './outside.ts'
