import type { PartitionRange } from '../core/offsets.ts'
import type { Isolation, Log } from '../ports/log.ts'
import { findRecord, SEARCH_BUFFER_BYTES } from './record-search.ts'

/** Where the records of a time may lie: `to` is the end, fetched before the look-up. */
export type TimeTarget = PartitionRange

export interface TimeBoundOptions {
  readonly isolation: Isolation
  /** Records later than this do not count, epoch ms; Infinity where all do. */
  readonly latest: number
}

/**
 * For each target the offset of the first visible, committed record at or past `timestamp` (epoch ms); the target's `to`
 * where there is none. The log's own answer is only a lower bound, since it may count markers and aborted records: the
 * records from there on are read, and batches that end before `timestamp` are not opened.
 */
export async function offsetsAtTime(
  log: Log,
  targets: readonly TimeTarget[],
  timestamp: number,
  { isolation, latest }: TimeBoundOptions,
): Promise<readonly number[]> {
  if (targets.length === 0) return []
  const bounds = await log.offsetsForTime(targets.map(({ topic, partition }) => ({ topic, partition, timestamp })))
  const found = targets.map((target) => target.to)
  const open = targets.flatMap((target, index) => {
    const from = Math.max(target.from, bounds[index] ?? target.from)
    return from < target.to ? [{ index, range: { ...target, from } }] : []
  })
  if (open.length === 0) return found
  const reader = log.reader(
    open.map(({ range }) => range),
    { isolation, bufferBytes: SEARCH_BUFFER_BYTES },
  )
  const query = {
    maybe: (header: { maxTimestamp: number }) => header.maxTimestamp >= timestamp,
    wanted: (time: number) => time >= timestamp && time <= latest,
  }
  try {
    for (const [number, { index, range }] of open.entries()) {
      const record = await findRecord(reader, number, range, query)
      if (record !== undefined) found[index] = record.offset
    }
  } finally {
    await reader.close()
  }
  return found
}
