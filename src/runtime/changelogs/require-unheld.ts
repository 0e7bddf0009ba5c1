import { TidemarkError } from '../../core/errors.ts'
import type { PartitionBounds } from '../../ports/log.ts'

/**
 * Refuses a changelog on which somebody has an open transaction, once the job is claimed, which has ended its own: what is held
 * back may be committed later, and would be missed. `bounds` are those of a reader of what is committed. Throws LEASED.
 */
export function requireUnheld(bounds: readonly PartitionBounds[], job: string, store: string): void {
  const held = bounds.find(({ end, highWatermark }) => end < highWatermark)
  if (held === undefined) return
  const { topic, partition, end: offset } = held
  throw new TidemarkError('LEASED', `somebody has an open transaction on ${topic}, the changelog of store ${store}`, {
    hint: 'Find out who else writes there, or wait until the brokers have ended it.',
    at: { job, step: store, topic, partition, offset },
  })
}
