import type { TopicPartition } from '../../../core/offsets.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { LogAdmin, NewTopic, StagedBatch, TopicDescription } from '../../../ports/log.ts'
import { notCompacted, topicExists, trimPastEnd } from '../../log-rules/admin-errors.ts'
import { checkPartitionCount } from '../../log-rules/partition-count.ts'
import { retentionOffset } from '../../log-rules/retention.ts'
import { checkTopicName } from '../../log-rules/topic-name.ts'
import { checkTopicSettings, isCompacted, settingsInForce } from '../../log-rules/topic-settings.ts'
import { Appender } from './appender.ts'
import { compactPartition } from './log-compaction.ts'
import type { LogFile } from './log-file.ts'
import { sweep } from './log-sweep.ts'

export class SqliteLogAdmin implements LogAdmin {
  readonly #file: LogFile
  readonly #ids: Ids

  constructor(file: LogFile, ids: Ids) {
    this.#file = file
    this.#ids = ids
  }

  async create({ name, partitions, settings = {} }: NewTopic): Promise<TopicDescription> {
    checkTopicName(name)
    checkPartitionCount(name, partitions)
    checkTopicSettings(name, settings)
    this.#file.create()
    const id = this.#ids.uuid()
    this.#file.write(({ topics }) => {
      if (topics.find(name) !== undefined) throw topicExists(name)
      topics.create(name, id, partitions, settings)
    })
    return { name, id, partitions, settings: settingsInForce(settings) }
  }

  async delete(name: string): Promise<void> {
    this.#file.write(({ topics }) => topics.delete(topics.get(name)))
    await sweep(this.#file)
  }

  async alter(
    name: string,
    change: { partitions?: number; settings?: Readonly<Record<string, string>> },
  ): Promise<void> {
    checkTopicSettings(name, change.settings ?? {})
    this.#file.write(({ topics }) => {
      const topic = topics.get(name)
      const partitions = change.partitions ?? topic.partitions
      checkPartitionCount(name, partitions, topic.partitions)
      topics.grow(topic, partitions)
      topics.setSettings(topic, { ...topic.settings, ...change.settings })
    })
  }

  async append(batches: Iterable<StagedBatch>): Promise<void> {
    this.#file.write((tables) => {
      const appender = new Appender(tables)
      for (const batch of batches) appender.append(appender.accept(batch))
      appender.finish()
    })
  }

  async trim(asked: TopicPartition, offset: number): Promise<void> {
    this.#file.write(({ topics }) => {
      const partition = topics.partition(asked)
      if (offset > partition.highWatermark) throw trimPastEnd(asked, offset, partition.highWatermark)
      if (offset > partition.logStart) topics.setLogStart(partition, offset)
    })
    await sweep(this.#file)
  }

  async expired(name: string, nowMs: number): Promise<readonly (TopicPartition & { readonly offset: number })[]> {
    return this.#file.read(({ topics, batches }) => {
      const topic = topics.get(name)
      return topics.partitions(topic).map(({ number, partition, logStart }) => {
        const total = batches.totalBytes(number, logStart)
        const offset = retentionOffset(batches.from(number, logStart), total, logStart, topic.settings, nowMs)
        return { topic: name, partition, offset }
      })
    })
  }

  async compact(name: string): Promise<void> {
    const partitions = this.#file.read(({ topics }) => {
      const topic = topics.get(name)
      if (!isCompacted(topic.settings)) throw notCompacted(name)
      return topics.partitions(topic)
    })
    for (const partition of partitions) await compactPartition(this.#file, partition, name)
  }
}
