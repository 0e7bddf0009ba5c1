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
  /** The position after everything this chunk stands for, holes and markers included. Always greater than before. */
  readonly nextOffset: number
}

export interface ReadOptions {
  readonly isolation: Isolation
  /** Upper bound in bytes for what is held ahead of the caller, over all partitions. One batch may exceed it. */
  readonly bufferBytes?: number
}

/** Reads a fixed set of ranges. Every range ends by position or fails by name; no call waits for records to come. */
export interface LogReader {
  /**
   * The next chunk of range number `index`, or undefined when its position has reached `to`.
   * Throws INPUT_LOST (out of range, truncated), INPUT_MISSING, RECORD_BATCH_CORRUPT, LOG_UNREACHABLE.
   */
  next(index: number): Promise<Chunk | undefined>
  /** May be called twice. */
  close(): Promise<void>
}

/** A log: where topics live. Bytes only; every method may throw LOG_UNREACHABLE. */
export interface Log {
  /** Identifies the cluster (or the file): another log under the same address has another id. */
  clusterId(): Promise<string>
  /** All topics, by name, when `names` is absent; else those of `names` that exist. Nothing is ever created by asking. */
  describe(names?: readonly string[]): Promise<readonly TopicDescription[]>
  /** In the order asked. Throws INPUT_MISSING for a topic or partition that does not exist. */
  bounds(partitions: readonly TopicPartition[], isolation: Isolation): Promise<readonly PartitionBounds[]>
  /**
   * For each query a lower bound of the first visible record at or past `timestamp`: no such record lies before it.
   * The end of the partition at the time of asking when there is none. In the order asked.
   */
  offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]>
  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader
  /** The transactional way out for one job. `key` names the commit record: `live`, or a generation. */
  outside(job: string, key: string): Promise<Outside>
  admin(): LogAdmin
  /** May be called twice. */
  close(): Promise<void>
}

/** What people and the runner do to topics. */
export interface LogAdmin {
  /** Throws USAGE when the topic exists or its name is not allowed. */
  create(topic: NewTopic): Promise<TopicDescription>
  /** Throws INPUT_MISSING for a topic that does not exist. */
  delete(name: string): Promise<void>
  /** More partitions, other settings. Throws USAGE for fewer partitions. */
  alter(name: string, change: { partitions?: number; settings?: Readonly<Record<string, string>> }): Promise<void>
  /** Appends record batches outside any transaction, all or none; the offsets in them are ignored and assigned anew. */
  append(batches: readonly StagedBatch[]): Promise<void>
  /** Removes what lies before `offset`: the log start moves there. */
  trim(partition: TopicPartition, offset: number): Promise<void>
  /** Keeps the last record of each key (and tombstones); offsets stay, holes remain. */
  compact(topic: string): Promise<void>
}

/** One encoded record batch on its way to a partition. Base offset and producer fields are stamped when it is sent. */
export interface StagedBatch extends TopicPartition {
  readonly bytes: Uint8Array
  readonly records: number
}

import type { Outside } from './outside.ts'
