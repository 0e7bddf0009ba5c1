import type { TopicPartition } from '../../core/offsets.ts'
import type { TopicDescription } from '../../ports/log.ts'
import { partitionMissing } from '../log-rules/read-errors.ts'
import { settingsInForce, type TopicSettings } from '../log-rules/topic-settings.ts'
import { MemoryPartition } from './log-partition.ts'

/** One topic in memory. */
export class MemoryTopic {
  readonly name: string
  readonly id: string
  readonly partitions: MemoryPartition[] = []
  settings: TopicSettings

  constructor(name: string, id: string, partitions: number, settings: TopicSettings) {
    this.name = name
    this.id = id
    this.settings = settings
    this.grow(partitions)
  }

  grow(partitions: number): void {
    while (this.partitions.length < partitions) this.partitions.push(new MemoryPartition())
  }

  /** Throws INPUT_MISSING. */
  partition(asked: TopicPartition): MemoryPartition {
    const partition = this.partitions[asked.partition]
    if (partition === undefined) throw partitionMissing(asked, this.partitions.length)
    return partition
  }

  describe(): TopicDescription {
    const { name, id, partitions, settings } = this
    return { name, id, partitions: partitions.length, settings: settingsInForce(settings) }
  }
}
