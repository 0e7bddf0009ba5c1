import type { StagedBatch } from '../../ports/log.ts'
import { stampBaseOffset } from '../../wire/stamp.ts'
import { type AcceptedBatch, acceptBatch } from '../log-rules/accept-batch.ts'
import { noSuchTopic } from '../log-rules/output-errors.ts'
import type { MemoryCluster } from './log-cluster.ts'
import type { LogEntry, MemoryPartition } from './log-partition.ts'

/** An entry that was appended, and where. */
export interface AppendedEntry {
  readonly partition: MemoryPartition
  readonly entry: LogEntry
}

/** Checks batches one after the other, and copies them. */
export function acceptAll(cluster: MemoryCluster, batches: Iterable<StagedBatch>): AcceptedBatch[] {
  const accepted: AcceptedBatch[] = []
  for (const batch of batches) {
    const topic = cluster.topics.get(batch.topic)
    const target = topic && { partitions: topic.partitions.length, settings: topic.settings }
    accepted.push(acceptBatch(batch, target))
  }
  return accepted
}

/** Appends all or, where a topic has gone meanwhile, none. A batch without records is a hole. */
export function appendAll(
  cluster: MemoryCluster,
  accepted: readonly AcceptedBatch[],
  state: LogEntry['state'] = 'committed',
): AppendedEntry[] {
  const targets = accepted.map(({ topic, partition }) => {
    const target = cluster.topics.get(topic)?.partitions[partition]
    if (target === undefined) throw noSuchTopic(topic)
    return target
  })
  return accepted.flatMap((batch, index) => {
    const partition = targets[index] as MemoryPartition
    if (batch.records === 0) {
      partition.skip(batch.offsets)
      return []
    }
    stampBaseOffset(batch.bytes, partition.highWatermark)
    return { partition, entry: partition.append(batch.bytes, batch.offsets, batch.maxTimestamp, state) }
  })
}
