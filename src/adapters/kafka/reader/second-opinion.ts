import type { Isolation } from '../../../ports/log.ts'
import { endLost, startLost } from '../../log-rules/read-errors.ts'
import type { Brokers } from '../connection/brokers.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { type AskedOffset, listOffsets } from '../connection/offsets.ts'
import { EARLIEST, LATEST } from '../protocol/list-offsets.ts'
import type { RangeFetch } from './range-fetch.ts'
import type { Verdict } from './verdict.ts'

/** What a fetch said that is not believed at once. */
export type Opinion = Extract<Verdict['kind'], 'empty' | 'short' | 'outside'>

/**
 * Asks the leader for its offsets. Resolves to nothing when the log does hold no batch from the range's position to its
 * end, to a reason to fetch again otherwise. Throws INPUT_LOST when the start or the end of what was planned is not there.
 */
export async function secondOpinion(
  brokers: Brokers,
  fetch: RangeFetch,
  kind: Opinion,
  isolation: Isolation,
): Promise<LinkFailure | undefined> {
  const { range, position } = fetch
  const { topic, partition, to } = range
  const asked: readonly AskedOffset[] = [
    { topic, partition, timestamp: EARLIEST, isolation: 'read_uncommitted' },
    { topic, partition, timestamp: LATEST, isolation },
  ]
  const [start = 0, end = 0] = await listOffsets(brokers, asked)
  if (position < start) throw startLost(range, position, start)
  if (end < to) throw endLost(range, to, end)
  if (kind === 'empty') return undefined
  if (kind === 'short') return new LinkFailure(fetch.name, 'its leader has not caught up')
  // It may be the epoch that the leader does not know any more, not the offset.
  fetch.lastEpoch = -1
  return new LinkFailure(fetch.name, `its leader does not find offset ${position}, and says that it is there`)
}
