import type { TopicPartition } from '../../core/offsets.ts'
import { Compaction } from '../log-rules/compaction.ts'
import type { MemoryPartition } from './log-partition.ts'

/** Keeps the last record of each key; what lies past an open transaction stays as it is. */
export function compactPartition(partition: MemoryPartition, at: TopicPartition): void {
  const compaction = new Compaction(at)
  const end = partition.endFor('read_committed')
  const settled = partition.entries.filter((entry) => entry.state === 'committed' && entry.nextOffset <= end)
  for (const entry of settled) compaction.note(entry.batch)
  for (const entry of settled) {
    const batch = compaction.reduce(entry.batch)
    partition.replace(entry, batch && { ...entry, batch, bytes: batch.length })
  }
}
