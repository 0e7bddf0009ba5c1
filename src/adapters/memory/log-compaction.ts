import { asBuffer } from '../../core/bytes.ts'
import type { TopicPartition } from '../../core/offsets.ts'
import { readBatchHeader } from '../../wire/batch-header.ts'
import { Compaction } from '../log-rules/compaction.ts'
import type { LogEntry, MemoryPartition } from './log-partition.ts'

/** Keeps the last record of each key; what lies past an open transaction stays as it is. */
export function compactPartition(partition: MemoryPartition, at: TopicPartition): void {
  const compaction = new Compaction(at)
  const end = partition.endFor('read_committed')
  const settled = partition.entries.filter((entry) => entry.state === 'committed' && entry.nextOffset <= end)
  for (const entry of settled) compaction.note(entry.batch)
  for (const entry of settled) {
    const batch = compaction.reduce(entry.batch)
    partition.replace(entry, batch && reduced(entry, batch))
  }
}

function reduced(entry: LogEntry, batch: Uint8Array): LogEntry {
  const { maxTimestamp } = readBatchHeader(asBuffer(batch))
  return { ...entry, batch, bytes: batch.length, maxTimestamp }
}
