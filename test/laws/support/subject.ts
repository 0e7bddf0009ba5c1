import type fc from 'fast-check'
import { type Job, type JobBuilder, job } from 'tidemark'
import type { ByteString } from '../../../src/core/bytes.ts'
import type { Headers } from '../../../src/core/headers.ts'
import type { Log } from '../../../src/ports/log.ts'
import { jobInputs } from '../../../src/runtime/input/job-inputs.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { partitionOf } from '../../../src/wire/murmur2.ts'

/** A record as it lies in a topic, but for the partition: `place` modulo their number, or the key's where it is null. */
export interface RawRecord {
  readonly topic: string
  readonly place: number | null
  readonly key: ByteString | null
  readonly value: Uint8Array | null
  readonly timestamp: number
  readonly headers: Headers
}

/** A topology with an input. `about` is data that says which, for a failure to print. */
export interface Piece {
  readonly about: unknown
  readonly build: (builder: JobBuilder) => void
  readonly records: readonly RawRecord[]
}

/** A topology that is to be played in ways that must make no difference. */
export interface Subject {
  readonly name: string
  readonly pieces: fc.Arbitrary<Piece>
  /** Event time is not the timestamp of the record: only in one partition, the merged order can be cut, and at offsets. */
  readonly ownTime: boolean
  /** It punctuates by wall clock: the clock moves between its runs. */
  readonly clocked: boolean
}

/** Settings that must not make a difference. */
export interface Settings {
  readonly sliceRecords: number
  readonly cacheEntries: number
}

/** The job of a piece. All are named the same, so that states can be compared. */
export function pieceJob({ build }: Piece, { sliceRecords, cacheEntries }: Settings): Job {
  return job('law', { sliceRecords, cacheEntries }, build)
}

/** The records of each partition of a topic. */
export function recordsOf({ records }: Piece, topic: string, partitions: number): readonly (readonly RawRecord[])[] {
  const mine = Array.from({ length: partitions }, (): RawRecord[] => [])
  for (const record of records) {
    if (record.topic !== topic) continue
    const { key, place } = record
    mine[place === null ? (key === null ? 0 : partitionOf(key, partitions)) : place % partitions]?.push(record)
  }
  return mine
}

/** Creates the topics of a job and fills them, `batchRecords` to a batch. */
export async function fillTopics(
  log: Log,
  job: Job,
  piece: Piece,
  partitions: number,
  batchRecords: number,
): Promise<void> {
  for (const { topic } of jobInputs(job)) {
    await log.admin().create({ name: topic.name, partitions })
    for (const [partition, records] of recordsOf(piece, topic.name, partitions).entries()) {
      for (let at = 0; at < records.length; at += batchRecords) {
        const writer = new BatchWriter()
        for (const { timestamp, key, value, headers } of records.slice(at, at + batchRecords)) {
          writer.append(timestamp, key, value, headers)
        }
        await log.admin().append([{ topic: topic.name, partition, records: writer.records, bytes: writer.finish() }])
      }
    }
  }
}
