import { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'
import type { LogAdmin, NewTopic, StagedBatch, TopicDescription } from '../../../ports/log.ts'
import { topicExists } from '../../log-rules/admin-errors.ts'
import { checkPartitionCount } from '../../log-rules/partition-count.ts'
import { topicMissing } from '../../log-rules/read-errors.ts'
import { checkTopicName } from '../../log-rules/topic-name.ts'
import type { Brokers } from '../connection/brokers.ts'
import { listOffsets } from '../connection/offsets.ts'
import { topicsOf } from '../connection/topics.ts'
import { appendBatches } from '../produce/append-batches.ts'
import { alterSettingsRequest } from '../protocol/alter-settings.ts'
import { createPartitionsRequest } from '../protocol/create-partitions.ts'
import { deleteTopicRequest } from '../protocol/delete-topic.ts'
import { ERROR, isUnknownTopic } from '../protocol/error-code.ts'
import { EARLIEST } from '../protocol/list-offsets.ts'
import type { TopicMetadata } from '../protocol/metadata.ts'
import { adminRefusal } from './admin-refusal.ts'
import { change, seen } from './changes.ts'
import { createTopic } from './create-topic.ts'
import { describeTopics } from './describe-topics.ts'
import { KAFKA_TOOLS } from './kafka-tools.ts'
import { trimPartition } from './trim-partition.ts'

/** Changes of topics, by the brokers. What is changed can be seen when a method resolves. */
export class KafkaLogAdmin implements LogAdmin {
  readonly #brokers: Brokers

  constructor(brokers: Brokers) {
    this.#brokers = brokers
  }

  async create(topic: NewTopic): Promise<TopicDescription> {
    const { name, partitions } = topic
    checkTopicName(name)
    checkPartitionCount(name, partitions)
    const result = await createTopic(this.#brokers, topic)
    if (result.errorCode === ERROR.TOPIC_ALREADY_EXISTS) throw topicExists(name, KAFKA_TOOLS)
    if (result.errorCode !== ERROR.NONE) throw adminRefusal(result, { topic: name })
    const made = await this.#seen(name, (found) => found?.partitions === partitions)
    return made as TopicDescription
  }

  async delete(name: string): Promise<void> {
    const before = await this.#topic(name)
    const result = await change(this.#brokers, (timeoutMs) => deleteTopicRequest(name, timeoutMs))
    if (isUnknownTopic(result.errorCode)) throw topicMissing(name)
    if (result.errorCode !== ERROR.NONE) throw adminRefusal(result, { topic: name })
    await this.#seen(name, (found) => found?.id !== before.id.toString('base64url'))
  }

  async alter(
    name: string,
    { partitions, settings = {} }: { partitions?: number; settings?: Readonly<Record<string, string>> },
  ): Promise<void> {
    const current = (await this.#topic(name)).partitions.length
    const wanted = partitions ?? current
    checkPartitionCount(name, wanted, current)
    const changes = [
      ...(Object.keys(settings).length > 0 ? [() => alterSettingsRequest(name, settings)] : []),
      ...(wanted > current ? [(timeoutMs: number) => createPartitionsRequest(name, wanted, timeoutMs)] : []),
    ]
    for (const request of changes) {
      const result = await change(this.#brokers, request)
      if (result.errorCode !== ERROR.NONE) throw adminRefusal(result, { topic: name })
    }
    await this.#seen(name, (found) => found === undefined || (found.partitions >= wanted && shows(found, settings)))
  }

  async append(batches: Iterable<StagedBatch>): Promise<void> {
    await appendBatches(this.#brokers, batches)
  }

  async trim(partition: TopicPartition, offset: number): Promise<void> {
    await trimPartition(this.#brokers, partition, offset)
  }

  /** The brokers do it: nothing is left to trim. */
  async expired(topic: string): Promise<readonly (TopicPartition & { readonly offset: number })[]> {
    const { partitions: all } = await this.#topic(topic)
    const partitions = all.map((_, partition) => ({ topic, partition }))
    const starts = await listOffsets(
      this.#brokers,
      partitions.map((at) => ({ ...at, timestamp: EARLIEST, isolation: 'read_uncommitted' })),
    )
    return partitions.map((at, index) => ({ ...at, offset: starts[index] ?? 0 }))
  }

  async compact(topic: string): Promise<void> {
    throw new TidemarkError('USAGE', 'Kafka compacts by itself, when it finds it worth while', {
      at: { topic },
      hint: "Set the topic's min.cleanable.dirty.ratio and max.compaction.lag.ms with kafka-configs.sh.",
    })
  }

  /** Throws INPUT_MISSING. */
  async #topic(name: string): Promise<TopicMetadata> {
    const topics = await this.#brokers.retried(() => topicsOf(this.#brokers, [{ topic: name, partition: 0 }]))
    return topics.get(name) as TopicMetadata
  }

  /** The topic once it looks as it should. */
  #seen(name: string, isSeen: (found: TopicDescription | undefined) => boolean): Promise<TopicDescription | undefined> {
    const look = async () => (await describeTopics(this.#brokers, [name]))[0]
    return seen(this.#brokers, name, look, isSeen)
  }
}

/** Where the user may not see settings, there is nothing to wait for. */
function shows(found: TopicDescription, settings: Readonly<Record<string, string>>): boolean {
  if (Object.keys(found.settings).length === 0) return true
  return Object.entries(settings).every(([name, value]) => found.settings[name] === value)
}
