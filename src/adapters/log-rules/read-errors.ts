import { counted } from '../../core/counted.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { TopicPartition } from '../../core/offsets.ts'

export function topicMissing(topic: string): TidemarkError {
  return new TidemarkError('INPUT_MISSING', `there is no topic ${topic}`, {
    at: { topic },
    hint: 'Look for it with `tidemark log list`; nothing is created by reading.',
  })
}

export function partitionMissing({ topic, partition }: TopicPartition, partitions: number): TidemarkError {
  return new TidemarkError(
    'INPUT_MISSING',
    `${topic} has ${counted(partitions, 'partition')}, and none with number ${partition}`,
    {
      at: { topic, partition },
    },
  )
}

export function topicReplaced(topic: string): TidemarkError {
  return new TidemarkError('INPUT_REPLACED', `${topic} was deleted and made again while it was read`, {
    at: { topic },
    hint: 'Run again: the checkpoint tells whether the new topic is the one that the job knows.',
  })
}

/** Offsets `[wanted, available)` are not there any more. */
export function startLost({ topic, partition }: TopicPartition, wanted: number, available: number): TidemarkError {
  return new TidemarkError(
    'INPUT_LOST',
    `offset ${wanted} was wanted and the first available is ${available}: ${available - wanted} offsets are lost`,
    {
      at: { topic, partition, offset: wanted },
      hint: 'They were trimmed or expired. `--on-data-loss skip` goes on without them and records the gap.',
    },
  )
}

/** The range reaches past what may be read: it was planned on a log that was longer. */
export function endLost({ topic, partition }: TopicPartition, to: number, available: number): TidemarkError {
  return new TidemarkError(
    'INPUT_LOST',
    `offsets up to ${to} were wanted and the log ends at ${available}: ${to - available} offsets are lost`,
    {
      at: { topic, partition, offset: available },
      hint: 'The log was truncated or is another one. Compare its id and length with the checkpoint.',
    },
  )
}
