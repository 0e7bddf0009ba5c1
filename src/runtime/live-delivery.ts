import { isTidemarkError } from '../core/errors.ts'
import type { Log } from '../ports/log.ts'
import type { Delivery } from '../ports/outside.ts'

/**
 * What the outside last recorded of the live generation's deliveries; null where it has nothing, or the log keeps none for
 * other machines. Nothing is claimed or written.
 */
export async function liveDelivery(log: Log, job: string): Promise<Delivery | null> {
  if (!log.keepsChangelogs) return null // the machine is the same, and a lock tells
  try {
    const outside = await log.outside(job, 'live')
    const record = await outside.read().finally(() => outside.close())
    return record?.delivery ?? null
  } catch (error) {
    if (isTidemarkError(error)) return null // a log that is gone or asleep is a run's trouble, not an overview's
    throw error
  }
}
