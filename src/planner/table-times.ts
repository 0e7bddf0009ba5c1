import type { Isolation, Log } from '../ports/log.ts'
import type { InputPartition } from './inputs.ts'
import { formatIsoTime } from './iso-time.ts'
import { findRecord, SEARCH_BUFFER_BYTES } from './record-search.ts'
import { offsetsAtTime } from './time-bound.ts'

interface Ranged {
  readonly input: InputPartition
  readonly from: number
  readonly to: number
}

/**
 * Sentences on tables that begin only after everything the streams hold up to their ends (rule 3.8): in the merged order
 * no stream record would see a row of them. For partitions that are read from the log's start; empty where event time is
 * not the records' own timestamps.
 */
export async function lateTables(
  log: Log,
  partitions: readonly Ranged[],
  isolation: Isolation,
): Promise<readonly string[]> {
  const timed = partitions.filter(({ input }) => input.recordTime)
  const streams = timed.filter(({ input, from, to }) => input.role === 'stream' && from < to)
  if (streams.length === 0 || partitions.some(({ input }) => input.role === 'stream' && !input.recordTime)) return []
  const sentences: string[] = []
  for (const [topic, begins] of await firstTimes(log, timed, isolation)) {
    const targets = streams.map(({ input, from, to }) => ({ topic: input.topic, partition: input.partition, from, to }))
    const reached = await offsetsAtTime(log, targets, begins, { isolation, latest: Number.POSITIVE_INFINITY })
    if (reached.some((offset, index) => offset < (targets[index]?.to ?? 0))) continue
    sentences.push(
      `the table ${topic} begins at ${formatIsoTime(begins)}, later than every stream record of this range: ` +
        'no record will see a row of it (import it with an earlier time: --timestamp)',
    )
  }
  return sentences
}

/** The least timestamp of the first records of each table's partitions. Empty tables are left out. */
async function firstTimes(
  log: Log,
  timed: readonly Ranged[],
  isolation: Isolation,
): Promise<ReadonlyMap<string, number>> {
  const ranges = timed
    .filter(({ input }) => input.role === 'table' && input.start < input.end)
    .map(({ input }) => ({ topic: input.topic, partition: input.partition, from: input.start, to: input.end }))
  const first = new Map<string, number>()
  if (ranges.length === 0) return first
  const reader = log.reader(ranges, { isolation, bufferBytes: SEARCH_BUFFER_BYTES })
  try {
    for (const [index, range] of ranges.entries()) {
      const record = await findRecord(reader, index, range, { maybe: () => true, wanted: () => true })
      const known = first.get(range.topic)
      if (record !== undefined && (known === undefined || record.timestamp < known)) {
        first.set(range.topic, record.timestamp)
      }
    }
  } finally {
    await reader.close()
  }
  return first
}
