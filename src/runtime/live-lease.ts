import { isTidemarkError } from '../core/errors.ts'
import type { Environment } from './environment.ts'

/** A lease that a commit record still has. */
export interface LiveLease {
  /** The state directory that holds it. */
  readonly instance: string
  /** It is this one. */
  readonly own: boolean
  /** Its run has died: what it had in a transaction holds readers of the output back. Only known of the own one. */
  readonly dead: boolean
  /** Epoch ms; then at the latest others may start, and the log gives up what is open. */
  readonly until: number
}

/** The lease on the live generation of a job, or null where there is none or the log does not say. Nothing is written. */
export async function liveLease(
  { log, locks, clock }: Pick<Environment, 'log' | 'locks' | 'clock'>,
  job: string,
  generation: string,
  instance: string,
): Promise<LiveLease | null> {
  if (!log.keepsChangelogs) return null // the machine is the same, and a lock tells
  try {
    const outside = await log.outside(job, 'live')
    const record = await outside.read().finally(() => outside.close())
    if (record === undefined || record.delivery.leaseUntil <= clock.now()) return null
    const { instance: holder, leaseUntil: until } = record.delivery
    const own = holder === instance
    return { instance: holder, own, dead: own && !isHeld(locks, `${job}/${generation}`), until }
  } catch (error) {
    if (isTidemarkError(error)) return null // as with the offsets behind: a run's trouble, not this overview's
    throw error
  }
}

function isHeld(locks: Environment['locks'], name: string): boolean {
  try {
    locks.acquire(name, 'status').release()
    return false
  } catch (error) {
    if (isTidemarkError(error, 'LOCKED')) return true
    throw error
  }
}
