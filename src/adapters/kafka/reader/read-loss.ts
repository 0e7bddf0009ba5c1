import { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'

/** What was read of `[from, read)` is not in the log any more: another leader's log parts from it there. */
export function truncated({ topic, partition }: TopicPartition, from: number, read: number): TidemarkError {
  return new TidemarkError(
    'INPUT_LOST',
    `the log was truncated at ${from} and goes on with other records: ${read - from} offsets that were read are lost`,
    {
      at: { topic, partition, offset: from },
      hint: 'A broker that was behind was elected (unclean.leader.election.enable). Compare the topic with its source.',
    },
  )
}
