import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import { MemoryTransaction } from '../../../src/adapters/memory/log-transaction.ts'
import type { Checkpoint } from '../../../src/core/checkpoint.ts'
import { parsePartitionKey, type TopicPartition } from '../../../src/core/offsets.ts'
import type { StagedBatch } from '../../../src/ports/log.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'

/** A log in memory that a planner test fills; partitions are written `topic/partition`. */
export class LogFixture {
  readonly cluster: MemoryCluster
  readonly log: MemoryLog

  /** `name` makes the ids of this cluster and its topics differ from those of others. */
  constructor(name = 'id') {
    let made = 0
    this.cluster = new MemoryCluster({ uuid: () => `${name}-${made++}` })
    this.log = new MemoryLog(this.cluster)
  }

  async create(name: string, partitions = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.log.admin().create({ name, partitions, settings })
  }

  /** Appends a record for each timestamp, in batches of `perBatch`. */
  async append(key: string, times: readonly number[], perBatch = times.length): Promise<void> {
    await this.log.admin().append(batchesOf(parsePartitionKey(key), times, perBatch))
  }

  /** The same by a foreign transaction, which stays open. */
  transaction(key: string, times: readonly number[]): MemoryTransaction {
    const transaction = new MemoryTransaction(this.cluster)
    transaction.append(batchesOf(parsePartitionKey(key), times, times.length))
    return transaction
  }

  async trim(key: string, offset: number): Promise<void> {
    await this.log.admin().trim(parsePartitionKey(key), offset)
  }

  async recreate(name: string, partitions = 1): Promise<void> {
    await this.log.admin().delete(name)
    await this.create(name, partitions)
  }

  /** A checkpoint that stands at these offsets of this log's topics. */
  checkpoint(offsets: Readonly<Record<string, number>>): Checkpoint {
    const topics = Object.keys(offsets).map((key) => parsePartitionKey(key).topic)
    return {
      version: 1,
      token: { seq: 1, id: 'token', parent: null },
      clusterId: this.cluster.id,
      offsets,
      floors: {},
      partitionTimes: {},
      streamTimes: {},
      streamTimeBy: null,
      topicIds: Object.fromEntries(topics.map((topic) => [topic, this.cluster.topic(topic).id])),
      stores: {},
      storeSizes: {},
      exchangePartitions: 1,
      punctuations: {},
      unfinished: null,
      made: null,
    }
  }
}

function batchesOf(at: TopicPartition, times: readonly number[], perBatch: number): StagedBatch[] {
  const batches: StagedBatch[] = []
  const writer = new BatchWriter()
  for (let from = 0; from < times.length; from += perBatch) {
    for (const time of times.slice(from, from + perBatch)) writer.append(time, 'k', Buffer.from('1'), [])
    batches.push({ ...at, records: writer.records, bytes: writer.finish() })
  }
  return batches
}
