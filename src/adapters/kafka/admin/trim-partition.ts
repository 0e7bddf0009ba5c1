import { TidemarkError } from '../../../core/errors.ts'
import type { TopicPartition } from '../../../core/offsets.ts'
import { trimPastEnd } from '../../log-rules/admin-errors.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { listOffsets } from '../connection/offsets.ts'
import { topicsOf } from '../connection/topics.ts'
import { deleteRecordsRequest } from '../protocol/delete-records.ts'
import { ERROR, errorName, isPassing, isUnknownTopic } from '../protocol/error-code.ts'
import { LATEST } from '../protocol/list-offsets.ts'
import { adminRefusal } from './admin-refusal.ts'

/** Moves a log start, never back. Throws INPUT_MISSING, and USAGE for an offset past the high watermark. */
export async function trimPartition(brokers: Brokers, at: TopicPartition, offset: number): Promise<void> {
  const { topic, partition } = at
  const timeoutMs = Math.ceil(brokers.settings.requestTimeoutMs / 2)
  const result = await brokers.retried(async () => {
    const leader = (await topicsOf(brokers, [at])).get(topic)?.partitions[partition]?.leader ?? -1
    const answer = await brokers.node(leader, deleteRecordsRequest(at, offset, timeoutMs))
    if (isUnknownTopic(answer.errorCode) || isPassing(answer.errorCode)) {
      throw new LinkFailure(`${topic}[${partition}]`, errorName(answer.errorCode))
    }
    return answer
  })
  switch (result.errorCode) {
    case ERROR.NONE:
      return
    case ERROR.OFFSET_OUT_OF_RANGE: {
      const [end = 0] = await listOffsets(brokers, [{ ...at, timestamp: LATEST, isolation: 'read_uncommitted' }])
      throw trimPastEnd(at, offset, end)
    }
    case ERROR.POLICY_VIOLATION:
      throw new TidemarkError('USAGE', 'Kafka does not trim a topic that is compacted only', {
        at,
        hint: 'Let its cleanup.policy say compact,delete, with kafka-configs.sh.',
      })
    default:
      throw adminRefusal(result, at)
  }
}
