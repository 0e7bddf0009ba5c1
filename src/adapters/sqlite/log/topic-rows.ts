import type Sqlite from 'better-sqlite3'
import type { TopicPartition } from '../../../core/offsets.ts'
import { partitionMissing, topicMissing } from '../../log-rules/read-errors.ts'
import type { TopicSettings } from '../../log-rules/topic-settings.ts'
import type { Database } from '../database.ts'

export interface TopicRow {
  /** Of the row; a topic that is made again has another one. */
  readonly number: number
  readonly name: string
  readonly id: string
  readonly settings: TopicSettings
  readonly partitions: number
}

export interface PartitionRow {
  /** Of the row; a partition of a topic that is made again has another one. */
  readonly number: number
  readonly partition: number
  readonly logStart: number
  readonly highWatermark: number
}

export interface Garbage {
  /** Number of a partition's row. */
  readonly partition: number
  readonly end: number
}

interface StoredTopic extends Omit<TopicRow, 'settings'> {
  readonly settings: string
}

const TOPICS = `
  SELECT number, name, id, settings, (SELECT count(*) FROM partitions WHERE topic = topics.number) AS partitions
  FROM topics`
const PARTITIONS = `
  SELECT number, partition, log_start AS logStart, high_watermark AS highWatermark
  FROM partitions`

const GARBAGE = `
  WITH reach AS (SELECT number, iif(topic IS NULL, high_watermark, log_start) AS "end" FROM partitions)
  SELECT number AS partition, "end" FROM reach
  WHERE EXISTS (SELECT 1 FROM batches WHERE partition = reach.number AND base_offset < "end" AND next_offset <= "end")
  LIMIT 1`

/** Topics and their partitions. */
export class TopicRows {
  readonly #clusterId: Sqlite.Statement<[], string>
  readonly #all: Sqlite.Statement<[], StoredTopic>
  readonly #byName: Sqlite.Statement<[string], StoredTopic>
  readonly #insert: Sqlite.Statement<[string, string, string]>
  readonly #insertPartition: Sqlite.Statement<[number, number]>
  readonly #setSettings: Sqlite.Statement<[string, number]>
  readonly #orphan: Sqlite.Statement<[number]>
  readonly #delete: Sqlite.Statement<[number]>
  readonly #partitions: Sqlite.Statement<[number], PartitionRow>
  readonly #partition: Sqlite.Statement<[number, number], PartitionRow>
  readonly #setLogStart: Sqlite.Statement<[number, number]>
  readonly #setHighWatermark: Sqlite.Statement<[number, number]>
  readonly #firstGarbage: Sqlite.Statement<[], Garbage>
  readonly #deleteOrphans: Sqlite.Statement<[]>

  constructor(db: Database) {
    this.#clusterId = db.prepare<[], string>('SELECT cluster_id FROM log').pluck()
    this.#all = db.prepare(`${TOPICS} ORDER BY name`)
    this.#byName = db.prepare(`${TOPICS} WHERE name = ?`)
    this.#insert = db.prepare('INSERT INTO topics (name, id, settings) VALUES (?, ?, ?)')
    this.#insertPartition = db.prepare('INSERT INTO partitions (topic, partition) VALUES (?, ?)')
    this.#setSettings = db.prepare('UPDATE topics SET settings = ? WHERE number = ?')
    this.#orphan = db.prepare('UPDATE partitions SET topic = NULL WHERE topic = ?')
    this.#delete = db.prepare('DELETE FROM topics WHERE number = ?')
    this.#partitions = db.prepare(`${PARTITIONS} WHERE topic = ? ORDER BY partition`)
    this.#partition = db.prepare(`${PARTITIONS} WHERE topic = ? AND partition = ?`)
    this.#setLogStart = db.prepare('UPDATE partitions SET log_start = ? WHERE number = ?')
    this.#setHighWatermark = db.prepare('UPDATE partitions SET high_watermark = ? WHERE number = ?')
    this.#firstGarbage = db.prepare(GARBAGE)
    this.#deleteOrphans = db.prepare('DELETE FROM partitions WHERE topic IS NULL')
  }

  clusterId(): string {
    const id = this.#clusterId.get()
    if (id === undefined) throw new Error('a log file has a cluster id')
    return id
  }

  /** All topics, by name. */
  all(): TopicRow[] {
    return this.#all.all().map(topicRow)
  }

  find(name: string): TopicRow | undefined {
    const stored = this.#byName.get(name)
    return stored && topicRow(stored)
  }

  /** Throws INPUT_MISSING. */
  get(name: string): TopicRow {
    const topic = this.find(name)
    if (topic === undefined) throw topicMissing(name)
    return topic
  }

  partitions(topic: TopicRow): PartitionRow[] {
    return this.#partitions.all(topic.number)
  }

  /** Throws INPUT_MISSING. */
  partition(asked: TopicPartition): PartitionRow {
    const topic = this.get(asked.topic)
    const partition = this.#partition.get(topic.number, asked.partition)
    if (partition === undefined) throw partitionMissing(asked, topic.partitions)
    return partition
  }

  create(name: string, id: string, partitions: number, settings: TopicSettings): void {
    const { lastInsertRowid } = this.#insert.run(name, id, JSON.stringify(settings))
    this.#addPartitions(Number(lastInsertRowid), 0, partitions)
  }

  grow(topic: TopicRow, partitions: number): void {
    this.#addPartitions(topic.number, topic.partitions, partitions)
  }

  setSettings(topic: TopicRow, settings: TopicSettings): void {
    this.#setSettings.run(JSON.stringify(settings), topic.number)
  }

  setLogStart(partition: PartitionRow, offset: number): void {
    this.#setLogStart.run(offset, partition.number)
  }

  setHighWatermark(partition: PartitionRow, offset: number): void {
    this.#setHighWatermark.run(offset, partition.number)
  }

  /** The topic is gone; its partitions are orphans until their batches are removed. */
  delete(topic: TopicRow): void {
    this.#orphan.run(topic.number)
    this.#delete.run(topic.number)
  }

  /** A partition that has batches below `end`, and whose batches below `end` nobody can reach. */
  firstGarbage(): Garbage | undefined {
    return this.#firstGarbage.get()
  }

  /** Removes the partitions of deleted topics, once their batches are gone. */
  deleteOrphans(): void {
    this.#deleteOrphans.run()
  }

  #addPartitions(topic: number, from: number, to: number): void {
    for (let partition = from; partition < to; partition++) this.#insertPartition.run(topic, partition)
  }
}

function topicRow(stored: StoredTopic): TopicRow {
  return { ...stored, settings: JSON.parse(stored.settings) as TopicSettings }
}
