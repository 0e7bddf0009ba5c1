import type { TopicPartition } from '../../core/offsets.ts'
import type { Ids } from '../../ports/clock.ts'
import type { CommitRecord } from '../../ports/outside.ts'
import { topicMissing } from '../log-rules/read-errors.ts'
import type { MemoryPartition } from './log-partition.ts'
import type { MemoryTopic } from './log-topic.ts'

/** What the cluster keeps for one job and key. */
export interface CommitSlot {
  inForce: CommitRecord | undefined
  readonly cuts: CommitRecord[]
}

/**
 * A log in memory: what outlives the handles on it (`MemoryLog`). A process that crashes is a handle that is dropped.
 * Beside what the port offers it makes, with plain calls, what otherwise takes a broker and patience; see also
 * `MemoryTransaction`.
 */
export class MemoryCluster {
  readonly ids: Ids
  readonly id: string
  readonly topics = new Map<string, MemoryTopic>()
  readonly #commits = new Map<string, CommitSlot>()

  constructor(ids: Ids) {
    this.ids = ids
    this.id = ids.uuid()
  }

  /** Passes `offsets` positions that hold no records: transaction markers, empty batches, what compaction removed. */
  skip(partition: TopicPartition, offsets: number): void {
    this.partition(partition).skip(offsets)
  }

  /** Lets the log fall back to `offset`, as after an unclean election. */
  truncate(partition: TopicPartition, offset: number): void {
    this.partition(partition).truncate(offset)
  }

  /** Throws INPUT_MISSING. */
  topic(name: string): MemoryTopic {
    const topic = this.topics.get(name)
    if (topic === undefined) throw topicMissing(name)
    return topic
  }

  /** Throws INPUT_MISSING. */
  partition(asked: TopicPartition): MemoryPartition {
    return this.topic(asked.topic).partition(asked)
  }

  commits(job: string, key: string): CommitSlot {
    const name = JSON.stringify([job, key])
    const slot = this.#commits.get(name) ?? { inForce: undefined, cuts: [] }
    this.#commits.set(name, slot)
    return slot
  }
}
