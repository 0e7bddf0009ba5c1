import type { ByteReader } from './byte-reader.ts'
import { API, type ApiRequest } from './request.ts'

/** What a broker says of its cluster. */
export interface Metadata {
  readonly clusterId: string
  readonly brokers: readonly BrokerAddress[]
  /** A broker that takes requests for the controller; -1 for none. */
  readonly controllerId: number
  readonly topics: readonly TopicMetadata[]
}

export interface BrokerAddress {
  readonly nodeId: number
  readonly host: string
  readonly port: number
}

export interface TopicMetadata {
  readonly errorCode: number
  readonly name: string
  /** 16 bytes. */
  readonly id: Buffer
  readonly isInternal: boolean
  /** What the user may do with it, a bit for each of Kafka's operations; undefined where nothing is said of that. */
  readonly rights?: number | undefined
  /** By partition number. */
  readonly partitions: readonly PartitionMetadata[]
}

export interface PartitionMetadata {
  readonly errorCode: number
  /** -1 while there is none. */
  readonly leader: number
  readonly leaderEpoch: number
}

const NO_ID = Buffer.alloc(16)

/** What an answer has where rights were not asked for, or there is no such topic. */
const NO_RIGHTS_TOLD = -(2 ** 31)

/** Metadata 12: of the topics named, or of all, with the user's rights where asked for. Nothing is created by asking. */
export function metadataRequest(topics: readonly string[] | undefined, withRights = false): ApiRequest<Metadata> {
  return {
    name: 'Metadata',
    key: API.metadata,
    version: 12,
    write: (to) =>
      to
        .array(topics ?? null, (topic) => to.uuid(NO_ID).string(topic).tags())
        .bool(false) // allow_auto_topic_creation
        .bool(withRights) // include_topic_authorized_operations
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: readMetadata(from) }),
  }
}

function readMetadata(from: ByteReader): Metadata {
  const brokers = from.array(readBroker)
  const clusterId = from.string()
  const controllerId = from.int32()
  const topics = from.array(readTopic)
  from.tags()
  return { clusterId, brokers, controllerId, topics }
}

function readBroker(from: ByteReader): BrokerAddress {
  const broker = { nodeId: from.int32(), host: from.string(), port: from.int32() }
  from.nullableString() // rack
  from.tags()
  return broker
}

function readTopic(from: ByteReader): TopicMetadata {
  const errorCode = from.int16()
  const name = from.string()
  const id = Buffer.from(from.uuid())
  const isInternal = from.bool()
  const listed = from.array(readPartition)
  const rights = from.int32()
  from.tags()
  const partitions = listed.sort((left, right) => left.partition - right.partition)
  return { errorCode, name, id, isInternal, rights: rights === NO_RIGHTS_TOLD ? undefined : rights, partitions }
}

function readPartition(from: ByteReader): PartitionMetadata & { readonly partition: number } {
  const errorCode = from.int16()
  const partition = from.int32()
  const leader = from.int32()
  const leaderEpoch = from.int32()
  for (let lists = 0; lists < 3; lists++) from.array((replica) => replica.int32()) // all, in sync, offline
  from.tags()
  return { errorCode, partition, leader, leaderEpoch }
}
