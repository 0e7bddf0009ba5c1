import { TidemarkError } from '../../core/errors.ts'
import { type PartitionRange, partitionKey } from '../../core/offsets.ts'
import { type Bound, timeOfBound } from '../../planner/bound.ts'
import { parseBound } from '../../planner/parse-bound.ts'
import { resolveBound } from '../../planner/resolve-bound.ts'
import { offsetsAtTime } from '../../planner/time-bound.ts'
import type { Log, PartitionBounds } from '../../ports/log.ts'
import type { TopicState } from './describe-topic.ts'

export interface AskedBounds {
  /** Bounds as text; left out, they are the log's start and end. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * The ranges of a topic's partitions between two bounds, cut to what the log has, in partition order. A count counts
 * from the range's start. Throws USAGE for what is not a bound here, and for an end before its start.
 */
export async function topicRanges(
  log: Log,
  { name, bounds }: TopicState,
  asked: AskedBounds,
  now: number,
): Promise<readonly PartitionRange[]> {
  const from = bound(asked.from ?? 'earliest', '--from', name, bounds.length)
  const to = bound(asked.to ?? 'latest', '--to', name, bounds.length)
  const [fromTimes, toTimes] = [await atTime(log, bounds, from, now), await atTime(log, bounds, to, now)]
  return bounds.map((partition) => {
    const start = within(partition, resolve(from, partition, fromTimes, partition.start) ?? partition.start)
    const end = within(partition, resolve(to, partition, toTimes, start) ?? partition.end)
    if (end < start) throw reversed(partition, start, end)
    return { topic: name, partition: partition.partition, from: start, to: end }
  })
}

function bound(text: string, option: string, topic: string, partitions: number): Bound {
  const parsed = parseBound(text, option)
  if (parsed.kind === 'checkpoint') {
    throw new TidemarkError('USAGE', `${option} checkpoint means nothing here`, {
      hint: 'A topic has no checkpoint; a job has.',
    })
  }
  if (parsed.kind !== 'offsets') return parsed
  const stranger = parsed.offsets.find((each) => each.topic !== topic || each.partition >= partitions)
  if (stranger === undefined) return parsed
  throw new TidemarkError('USAGE', `${option} names ${partitionKey(stranger.topic, stranger.partition)}`, {
    hint: `It can name the partitions of ${topic}: ${topic}/0 to ${topic}/${partitions - 1}.`,
  })
}

async function atTime(
  log: Log,
  bounds: readonly PartitionBounds[],
  bound: Bound,
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const timestamp = timeOfBound(bound, now)
  if (timestamp === null) return new Map()
  const targets = bounds.map(({ topic, partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const options = { isolation: 'read_committed', latest: Number.POSITIVE_INFINITY } as const
  const offsets = await offsetsAtTime(log, targets, timestamp, options)
  return new Map(targets.map(({ topic, partition }, index) => [partitionKey(topic, partition), offsets[index] ?? 0]))
}

function resolve(bound: Bound, bounds: PartitionBounds, atTime: ReadonlyMap<string, number>, origin: number) {
  const place = { ...bounds, role: 'stream', rank: 0, recordTime: true } as const
  return resolveBound(bound, place, { checkpoint: {}, atTime, origin })
}

function within({ start, end }: PartitionBounds, offset: number): number {
  return Math.min(Math.max(offset, start), end)
}

function reversed({ topic, partition }: PartitionBounds, start: number, end: number): TidemarkError {
  return new TidemarkError('USAGE', `the range ends at ${end}, before its start ${start}`, { at: { topic, partition } })
}
