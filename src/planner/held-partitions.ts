import type { PartitionRange } from '../core/offsets.ts'
import type { Isolation, Log } from '../ports/log.ts'
import { findRecord, SEARCH_BUFFER_BYTES } from './record-search.ts'

/** A partition that does not move because the first record at or past the end's time lies at or before its checkpoint. */
export interface HeldPartition extends PartitionRange {
  /** The offset of that record. `from` is where the partition stands, `to` where its log ends. */
  readonly heldBy: number
}

export interface HeldOptions {
  readonly isolation: Isolation
  /** Records looked at behind each of them: what lies further back is not named. */
  readonly mostRecords: number
}

/** Those of `held` that have a record before `timestamp` waiting behind the one that holds them. */
export async function partitionsHeldByTime(
  log: Log,
  held: readonly HeldPartition[],
  timestamp: number,
  { isolation, mostRecords }: HeldOptions,
): Promise<readonly HeldPartition[]> {
  const open = held.filter((partition) => partition.from < partition.to)
  if (open.length === 0) return []
  const reader = log.reader(open, { isolation, bufferBytes: SEARCH_BUFFER_BYTES })
  const query = { maybe: () => true, wanted: (time: number) => time >= 0 && time < timestamp, limit: mostRecords }
  const named: HeldPartition[] = []
  try {
    for (const [index, partition] of open.entries()) {
      if ((await findRecord(reader, index, partition, query)) !== undefined) named.push(partition)
    }
  } finally {
    await reader.close()
  }
  return named
}
