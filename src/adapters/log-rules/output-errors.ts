import type { ByteString } from '../../core/bytes.ts'
import { counted } from '../../core/counted.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { TopicPartition } from '../../core/offsets.ts'
import { keyText } from './key-text.ts'
import { EMBEDDED_TOOLS } from './topic-tools.ts'

export function noSuchTopic(topic: string): TidemarkError {
  return new TidemarkError('OUTPUT_REFUSED', `there is no topic ${topic}`, {
    at: { topic },
    hint: 'Make it with `tidemark log create`; nothing is created by writing.',
  })
}

export function noSuchPartition(
  { topic, partition }: TopicPartition,
  partitions: number,
  tools = EMBEDDED_TOOLS,
): TidemarkError {
  return new TidemarkError(
    'OUTPUT_REFUSED',
    `${topic} has ${counted(partitions, 'partition')}, and none with number ${partition}`,
    {
      at: { topic, partition },
      hint: `Add partitions with ${tools.partitions}, or mend the partitioner.`,
    },
  )
}

/** `size`: what the record takes as a batch of its own, in bytes. `limit`: undefined where it may not be seen. */
export function recordTooLarge(
  { topic, partition }: TopicPartition,
  key: ByteString | null,
  size: number,
  limit: number | undefined,
  tools = EMBEDDED_TOOLS,
): TidemarkError {
  const over = limit === undefined ? 'the limit' : `the limit of ${limit}`
  return new TidemarkError('OUTPUT_REFUSED', `a record of ${size} bytes (${keyText(key)}) is over ${over}`, {
    at: { topic, partition },
    hint: `Raise the topic's max.message.bytes with ${tools.settings}, or write smaller values.`,
  })
}

export function recordWithoutKey({ topic, partition }: TopicPartition): TidemarkError {
  return new TidemarkError('OUTPUT_REFUSED', 'a record without key cannot be kept in a compacted topic', {
    at: { topic, partition },
    hint: 'Give every record a key, or make the topic with cleanup.policy=delete.',
  })
}
