import type { Isolation } from '../../../ports/log.ts'
import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'
import { isolationNumber } from './isolation-number.ts'
import { API, type ApiRequest } from './request.ts'

/** What is fetched of one partition. */
export interface FetchPartition {
  /** 16 bytes. */
  readonly topicId: Buffer
  readonly partition: number
  readonly offset: number
  readonly leaderEpoch: number
  /** The leader epoch of the batch before `offset`, or -1: the broker compares its log with it. */
  readonly lastEpoch: number
  readonly maxBytes: number
}

export interface FetchedPartition {
  readonly topicId: Buffer
  readonly partition: number
  readonly errorCode: number
  /** -1 with an error. */
  readonly highWatermark: number
  /** -1 with an error, and where uncommitted records are read. */
  readonly lastStableOffset: number
  /** Where the logs part: what was fetched before, past this offset, is not in the broker's log. */
  readonly divergesAt: number | undefined
  /** In the order in which they ended, those begun before the fetched offset included. */
  readonly aborted: readonly AbortedTransaction[]
  /** Record batches, the last one perhaps cut: a view into the answer. */
  readonly records: Buffer
}

export interface AbortedTransaction {
  readonly producerId: number
  readonly firstOffset: number
}

export interface Fetched {
  readonly errorCode: number
  readonly partitions: readonly FetchedPartition[]
}

const NO_RECORDS = Buffer.alloc(0)
const DIVERGING_EPOCH = 0

/**
 * Fetch 13, which names topics by their ids: one made again under the same name is another. Brokers fill the partitions in
 * the order asked, and the first one that has a record gets its first batch whole, however large. The answer comes at once,
 * or with `maxWaitMs` when one of the partitions has something that the isolation lets one see, at the latest after that.
 */
export function fetchRequest(
  partitions: readonly FetchPartition[],
  isolation: Isolation,
  maxBytes: number,
  maxWaitMs = 0,
): ApiRequest<Fetched> {
  return {
    name: 'Fetch',
    key: API.fetch,
    version: 13,
    write: (to) =>
      to
        .int32(-1) // not a replica
        .int32(maxWaitMs) // what is in a planned range is there already
        .int32(maxWaitMs > 0 ? 1 : 0) // min_bytes
        .int32(maxBytes)
        .int8(isolationNumber(isolation))
        .int32(0) // no session
        .int32(-1)
        .array(neighbours(partitions), (topic) => writeTopic(to, topic))
        .array([], () => {}) // forgotten topics
        .string('') // rack
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: readFetched(from) }),
  }
}

function writeTopic(to: ByteWriter, partitions: readonly FetchPartition[]): void {
  to.uuid((partitions[0] as FetchPartition).topicId)
    .array(partitions, ({ partition, offset, leaderEpoch, lastEpoch, maxBytes }) => {
      to.int32(partition).int32(leaderEpoch).int64(offset).int32(lastEpoch)
      to.int64(-1).int32(maxBytes).tags() // log start: replicas alone have one
    })
    .tags()
}

/** Runs of partitions of one topic: the order of partitions stays, so a topic may come again. */
function neighbours(partitions: readonly FetchPartition[]): FetchPartition[][] {
  const runs: FetchPartition[][] = []
  for (const partition of partitions) {
    const run = runs.at(-1)
    if (run?.[0]?.topicId.equals(partition.topicId)) run.push(partition)
    else runs.push([partition])
  }
  return runs
}

function readFetched(from: ByteReader): Fetched {
  const errorCode = from.int16()
  from.skip(4) // session
  const partitions = from.array(readTopic).flat()
  from.tags()
  return { errorCode, partitions }
}

function readTopic(from: ByteReader): FetchedPartition[] {
  const topicId = from.uuid()
  const partitions = from.array(() => readPartition(from, topicId))
  from.tags()
  return partitions
}

function readPartition(from: ByteReader, topicId: Buffer): FetchedPartition {
  const partition = from.int32()
  const errorCode = from.int16()
  const highWatermark = from.int64()
  const lastStableOffset = from.int64()
  from.skip(8) // log start
  const aborted = from.array(readAborted)
  from.skip(4) // preferred replica
  const records = from.buffer() ?? NO_RECORDS
  let divergesAt: number | undefined
  from.tags((tag, field) => {
    if (tag !== DIVERGING_EPOCH) return
    field.int32() // epoch
    divergesAt = field.int64()
  })
  return { topicId, partition, errorCode, highWatermark, lastStableOffset, divergesAt, aborted, records }
}

function readAborted(from: ByteReader): AbortedTransaction {
  const aborted = { producerId: from.int64(), firstOffset: from.int64() }
  from.tags()
  return aborted
}
