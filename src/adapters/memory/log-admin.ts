import type { TopicPartition } from '../../core/offsets.ts'
import type { LogAdmin, NewTopic, StagedBatch, TopicDescription } from '../../ports/log.ts'
import { notCompacted, topicExists, trimPastEnd } from '../log-rules/admin-errors.ts'
import { checkPartitionCount } from '../log-rules/partition-count.ts'
import { retentionOffset } from '../log-rules/retention.ts'
import { checkTopicName } from '../log-rules/topic-name.ts'
import { checkTopicSettings, isCompacted } from '../log-rules/topic-settings.ts'
import type { MemoryCluster } from './log-cluster.ts'
import { compactPartition } from './log-compaction.ts'
import { acceptAll, appendAll } from './log-staging.ts'
import { MemoryTopic } from './log-topic.ts'

export class MemoryLogAdmin implements LogAdmin {
  readonly #cluster: MemoryCluster

  constructor(cluster: MemoryCluster) {
    this.#cluster = cluster
  }

  async create({ name, partitions, settings = {} }: NewTopic): Promise<TopicDescription> {
    checkTopicName(name)
    checkPartitionCount(name, partitions)
    checkTopicSettings(name, settings)
    if (this.#cluster.topics.has(name)) throw topicExists(name)
    const topic = new MemoryTopic(name, this.#cluster.ids.uuid(), partitions, settings)
    this.#cluster.topics.set(name, topic)
    return topic.describe()
  }

  async delete(name: string): Promise<void> {
    this.#cluster.topic(name)
    this.#cluster.topics.delete(name)
  }

  async alter(
    name: string,
    change: { partitions?: number; settings?: Readonly<Record<string, string>> },
  ): Promise<void> {
    const topic = this.#cluster.topic(name)
    const partitions = change.partitions ?? topic.partitions.length
    checkPartitionCount(name, partitions, topic.partitions.length)
    checkTopicSettings(name, change.settings ?? {})
    topic.grow(partitions)
    topic.settings = { ...topic.settings, ...change.settings }
  }

  async append(batches: Iterable<StagedBatch>): Promise<void> {
    appendAll(this.#cluster, acceptAll(this.#cluster, batches))
  }

  async trim(asked: TopicPartition, offset: number): Promise<void> {
    const partition = this.#cluster.partition(asked)
    if (offset > partition.highWatermark) throw trimPastEnd(asked, offset, partition.highWatermark)
    partition.trim(offset)
  }

  async expired(name: string, nowMs: number): Promise<readonly (TopicPartition & { readonly offset: number })[]> {
    const { partitions, settings } = this.#cluster.topic(name)
    return partitions.map(({ entries, logStart }, partition) => {
      const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
      return { topic: name, partition, offset: retentionOffset(entries, bytes, logStart, settings, nowMs) }
    })
  }

  async compact(name: string): Promise<void> {
    const { partitions, settings } = this.#cluster.topic(name)
    if (!isCompacted(settings)) throw notCompacted(name)
    for (const [number, partition] of partitions.entries())
      compactPartition(partition, { topic: name, partition: number })
  }
}
