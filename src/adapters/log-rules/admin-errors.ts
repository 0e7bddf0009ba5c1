import { TidemarkError } from '../../core/errors.ts'
import type { TopicPartition } from '../../core/offsets.ts'
import { EMBEDDED_TOOLS } from './topic-tools.ts'

export function topicExists(topic: string, { settings } = EMBEDDED_TOOLS): TidemarkError {
  return new TidemarkError('USAGE', `the topic ${topic} exists already`, {
    at: { topic },
    hint: `Change it with ${settings}, or delete it first.`,
  })
}

export function trimPastEnd({ topic, partition }: TopicPartition, offset: number, end: number): TidemarkError {
  return new TidemarkError('USAGE', `cannot trim to ${offset}: the log ends at ${end}`, {
    at: { topic, partition, offset },
    hint: `To remove everything, trim to ${end}.`,
  })
}

export function notCompacted(topic: string): TidemarkError {
  return new TidemarkError('USAGE', `the cleanup.policy of ${topic} does not say compact`, {
    at: { topic },
    hint: `Compaction removes records for good. To allow it: tidemark log alter ${topic} --set cleanup.policy=compact`,
  })
}
