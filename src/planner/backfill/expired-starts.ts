import { TidemarkError } from '../../core/errors.ts'
import type { PartitionBounds } from '../../ports/log.ts'
import { formatIsoTime } from '../iso-time.ts'
import { listSome } from '../list-some.ts'
import type { Plan } from '../plan-types.ts'

/**
 * Sentences on partitions whose log begins only at or after the time that a plan starts at: what lay there before has expired,
 * or was trimmed. Where that was done exactly at the time nothing is lost, but the log cannot tell. Empty for a start that is not a time, or whose partitions still hold something older.
 */
export function expiredStarts(plan: Plan, bounds: readonly PartitionBounds[]): readonly string[] {
  const { from: time } = plan.times
  if (time === null) return []
  return plan.partitions.flatMap(({ topic, partition, role, from }) => {
    const log = bounds.find((each) => each.topic === topic && each.partition === partition)
    if (role === 'table' || log === undefined || log.start === 0 || from > log.start) return []
    return [
      `${topic}[${partition}]: the log starts at ${log.start}, with a record at or past ${formatIsoTime(time)}: what lay before is no longer there, and nothing tells whether it was as late too`,
    ]
  })
}

/** INPUT_LOST for a range that has expired, in part or all. */
export function rangeExpired(job: string, sentences: readonly string[]): TidemarkError {
  return new TidemarkError('INPUT_LOST', listSome(sentences, '; '), {
    hint: "To fill what is there: --on-data-loss skip, or --from earliest. To keep more, raise the topic's retention.ms.",
    at: { job },
  })
}
