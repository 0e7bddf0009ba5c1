import type { Delivery } from '../ports/outside.ts'
import type { Environment } from './environment.ts'
import { isLocked } from './try-lock.ts'

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

/** The lease that the last delivery of a live generation has left, or null where there is none any more. */
export function liveLease(
  { locks, clock }: Pick<Environment, 'locks' | 'clock'>,
  generation: { readonly job: string; readonly name: string; readonly instance: string },
  delivery: Delivery | null,
): LiveLease | null {
  if (delivery === null || delivery.leaseUntil <= clock.now()) return null
  const own = delivery.instance === generation.instance
  const dead = own && !isLocked(locks, `${generation.job}/${generation.name}`, 'status')
  return { instance: delivery.instance, own, dead, until: delivery.leaseUntil }
}
