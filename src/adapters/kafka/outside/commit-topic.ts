import { utf8ByteString } from '../../../core/bytes.ts'
import { isTidemarkError, TidemarkError } from '../../../core/errors.ts'
import type { Log } from '../../../ports/log.ts'
import type { CommitRecord } from '../../../ports/outside.ts'
import { BatchWriter } from '../../../wire/batch-writer.ts'
import { RecordCursor } from '../../../wire/record-cursor.ts'
import type { CheckedBatch } from '../produce/checked-batch.ts'
import { decodeCommit, encodeCommit } from './commit-value.ts'

/** Always this one, whatever keys hash to: the topic may grow others. */
const PARTITION = 0
/** Offsets that are looked at first, from the end: records of other keys, and a marker behind each record. */
const FIRST_OFFSETS = 64
const MORE = 8
/** From here on a record is compressed: a checkpoint is JSON, and grows with the number of partitions. */
const COMPRESSED_FROM_BYTES = 16 * 1024

/** Compacted soon, and with room for the checkpoint of thousands of partitions. */
export const COMMIT_TOPIC_SETTINGS = {
  'cleanup.policy': 'compact',
  'max.message.bytes': String(16 * 1024 * 1024),
  'segment.bytes': String(32 * 1024 * 1024),
  'segment.ms': String(6 * 3_600_000),
  'min.cleanable.dirty.ratio': '0.1',
} as const

/** The topic of a job's commit records. */
export function commitTopicOf(job: string): string {
  return `tidemark.${job}.commits`
}

/** A job's commit records: one key for the live generation, and one for each other that is published. */
export class CommitTopic {
  readonly topic: string
  readonly partition = PARTITION
  readonly #log: Pick<Log, 'describe' | 'bounds' | 'reader' | 'admin'>
  readonly #key: string

  constructor(log: Pick<Log, 'describe' | 'bounds' | 'reader' | 'admin'>, job: string, key: string) {
    this.#log = log
    this.topic = commitTopicOf(job)
    this.#key = utf8ByteString(key)
  }

  /** The last record of the key that is committed. Read from the end back, however long the topic is. */
  async last(): Promise<CommitRecord | undefined> {
    const bounds = await this.#bounds()
    if (bounds === undefined) return undefined
    let last: CommitRecord | undefined
    let to = bounds.end
    for (let offsets = FIRST_OFFSETS; last === undefined && to > bounds.start; offsets *= MORE) {
      const from = Math.max(bounds.start, to - offsets)
      await this.#read(from, to, (record) => {
        last = record
      })
      to = from
    }
    return last
  }

  /** The records that ended a run, oldest first: those that compaction has left. */
  async cuts(): Promise<readonly CommitRecord[]> {
    const bounds = await this.#bounds()
    const cuts: CommitRecord[] = []
    if (bounds === undefined) return cuts
    await this.#read(bounds.start, bounds.end, (record) => {
      if (record.delivery.endsRun) cuts.push(record)
    })
    return cuts
  }

  /** Makes the topic where there is none. Throws CONFIG_INVALID for one that would lose its records. */
  async ensure(): Promise<void> {
    const [found] = await this.#log.describe([this.topic])
    if (found !== undefined) return requireCompacted(this.topic, found.settings['cleanup.policy'])
    try {
      await this.#log.admin().create({ name: this.topic, partitions: 1, settings: COMMIT_TOPIC_SETTINGS })
    } catch (error) {
      if (!isTidemarkError(error, 'USAGE')) throw error
      // Another instance may have made it meanwhile.
      if ((await this.#log.describe([this.topic])).length === 0) throw error
    }
  }

  /** The record as a batch of its own. */
  batch(record: CommitRecord, nowMs: number): CheckedBatch {
    const value = encodeCommit(record)
    const writer = new BatchWriter()
    writer.append(nowMs, this.#key, value, [])
    const bytes = writer.finish(value.length < COMPRESSED_FROM_BYTES ? 'none' : 'gzip')
    return { topic: this.topic, partition: PARTITION, bytes, records: 1 }
  }

  async #bounds(): Promise<{ readonly start: number; readonly end: number } | undefined> {
    try {
      const [bounds] = await this.#log.bounds([{ topic: this.topic, partition: PARTITION }], 'read_committed')
      return bounds
    } catch (error) {
      if (isTidemarkError(error, 'INPUT_MISSING')) return undefined
      throw error
    }
  }

  async #read(from: number, to: number, take: (record: CommitRecord) => void): Promise<void> {
    const at = { topic: this.topic, partition: PARTITION }
    const reader = this.#log.reader([{ ...at, from, to }], { isolation: 'read_committed' })
    const cursor = new RecordCursor()
    try {
      for (let chunk = await reader.next(0); chunk !== undefined; chunk = await reader.next(0)) {
        for (const batch of chunk.batches) {
          cursor.open(batch, at)
          while (cursor.next()) {
            if (cursor.offset < from || cursor.offset >= to || cursor.key() !== this.#key) continue
            const value = cursor.value()
            if (value !== null) take(decodeCommit(value, this.topic, cursor.offset))
          }
        }
      }
    } finally {
      await reader.close()
    }
  }
}

function requireCompacted(topic: string, policy: string | undefined): void {
  if (policy === undefined || policy === 'compact') return
  throw new TidemarkError('CONFIG_INVALID', `the topic of commit records has cleanup.policy=${policy}`, {
    at: { topic },
    hint: `Its records must stay: kafka-configs --alter --topic ${topic} --add-config cleanup.policy=compact`,
  })
}
