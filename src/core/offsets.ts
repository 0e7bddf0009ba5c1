import { TidemarkError } from './errors.ts'

export interface TopicPartition {
  readonly topic: string
  readonly partition: number
}

/** `[from, to)` of one partition; `to` is the next offset to read. */
export interface PartitionRange extends TopicPartition {
  readonly from: number
  readonly to: number
}

/** The partitions of a topic that has so many. */
export function partitionsOf(topic: string, count: number): TopicPartition[] {
  return Array.from({ length: count }, (_, partition) => ({ topic, partition }))
}

/** `topic/partition`, the key under which offsets are kept. */
export function partitionKey(topic: string, partition: number): string {
  return `${topic}/${partition}`
}

/** The parts of a `topic/partition` key. Topic names hold no `/`. */
export function parsePartitionKey(key: string): TopicPartition {
  const slash = key.lastIndexOf('/')
  return { topic: key.slice(0, slash), partition: Number(key.slice(slash + 1)) }
}

/** An offset that came from outside, as a number that counts exactly. Throws IO_FAILED when it cannot. */
export function safeOffset(value: number | bigint, what = 'offset'): number {
  const offset = Number(value)
  if (Number.isSafeInteger(offset)) return offset
  throw new TidemarkError('IO_FAILED', `${what} ${value} is outside the range of exact integers`)
}
