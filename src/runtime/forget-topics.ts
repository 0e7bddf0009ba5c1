import type { Checkpoint } from '../core/checkpoint.ts'
import { parsePartitionKey } from '../core/offsets.ts'

/** A checkpoint without what it knew of these topics: they were made again, and are read as new ones. */
export function forgetTopics(checkpoint: Checkpoint, topics: readonly string[]): Checkpoint {
  const kept = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !topics.includes(parsePartitionKey(key).topic)))
  const { offsets, floors, partitionTimes } = checkpoint
  return { ...checkpoint, offsets: kept(offsets), floors: kept(floors), partitionTimes: kept(partitionTimes) }
}
