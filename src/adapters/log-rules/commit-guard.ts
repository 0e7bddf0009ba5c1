import { isTidemarkError } from '../../core/errors.ts'
import type { CommitRecord, Delivery } from '../../ports/outside.ts'
import { checkClaimed, decideClaim, decideCommit } from './commit-rules.ts'

/** What one handle on an outside may still do. Once fenced it claims and commits nothing any more. */
export class CommitGuard {
  #claimed: Pick<Delivery, 'instance'> | undefined
  #fenced: unknown

  /** The record that the claim has to write. Throws LEASED or FENCED. */
  claim(inForce: CommitRecord | undefined, delivery: Delivery, nowMs: number, takeOver: boolean): CommitRecord {
    const record = this.#guarded(() => decideClaim(inForce, delivery, nowMs, takeOver))
    this.#claimed = delivery
    return record
  }

  /** Throws FENCED when another instance has claimed the record since this handle did. */
  check(inForce: CommitRecord | undefined): void {
    const { instance } = this.#claimed ?? {}
    if (instance !== undefined) this.#guarded(() => checkClaimed(inForce, { instance }))
  }

  /** Throws FENCED. */
  commit(inForce: CommitRecord | undefined, record: CommitRecord): 'deliver' | 'delivered' {
    return this.#guarded(() => decideCommit(inForce, record))
  }

  #guarded<T>(decide: () => T): T {
    if (this.#fenced !== undefined) throw this.#fenced
    try {
      return decide()
    } catch (error) {
      if (isTidemarkError(error, 'FENCED')) this.#fenced = error
      throw error
    }
  }
}
