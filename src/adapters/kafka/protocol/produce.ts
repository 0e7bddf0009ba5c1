import type { TopicPartition } from '../../../core/offsets.ts'
import { byTopic } from './by-topic.ts'
import type { ByteReader } from './byte-reader.ts'
import { API, type ApiRequest } from './request.ts'

/** Batches for the partitions that one broker leads; no partition is there twice. */
export interface Produce {
  readonly transactionalId: string | null
  /** How long the broker may wait for its replicas. */
  readonly timeoutMs: number
  readonly batches: readonly ProducedBatch[]
}

export interface ProducedBatch extends TopicPartition {
  /** One record batch, in parts. */
  readonly parts: readonly Buffer[]
}

/** The answer for one partition. */
export interface Produced extends TopicPartition {
  readonly errorCode: number
  /** The number in its batch of a record that is to blame; undefined where the broker names none. */
  readonly record: number | undefined
  /** The broker's words for what is wrong, with that record if it names one. */
  readonly message: string | undefined
}

const ALL_REPLICAS = -1

/** Produce 9, acknowledged by all replicas that are in sync. */
export function produceRequest({ transactionalId, timeoutMs, batches }: Produce): ApiRequest<readonly Produced[]> {
  return {
    name: 'Produce',
    key: API.produce,
    version: 9,
    write: (to) =>
      to
        .string(transactionalId)
        .int16(ALL_REPLICAS)
        .int32(timeoutMs)
        .array(byTopic(batches), ([topic, ofTopic]) =>
          to
            .string(topic)
            .array(ofTopic, ({ partition, parts }) => to.int32(partition).blob(parts).tags())
            .tags(),
        )
        .tags(),
    read: (from) => {
      const value = from.array(readTopic).flat()
      return { throttleMs: from.int32(), value }
    },
  }
}

function readTopic(from: ByteReader): Produced[] {
  const topic = from.string()
  const produced = from.array(() => readPartition(from, topic))
  from.tags()
  return produced
}

function readPartition(from: ByteReader, topic: string): Produced {
  const partition = from.int32()
  const errorCode = from.int16()
  from.int64() // base offset
  from.int64() // time of the append
  from.int64() // log start
  const [blamed] = from.array(readBlamed)
  const message = from.nullableString()
  from.tags()
  return { topic, partition, errorCode, record: blamed?.record, message: blamed?.message ?? message ?? undefined }
}

function readBlamed(from: ByteReader): { readonly record: number; readonly message: string | null } {
  const blamed = { record: from.int32(), message: from.nullableString() }
  from.tags()
  return blamed
}
