import { isTidemarkError } from '../core/errors.ts'
import type { Lock, Locks } from '../ports/lock.ts'

/** The lock of that name, or undefined where another has it. `purpose` is what others are told meanwhile. */
export function tryLock(locks: Locks, name: string, purpose: string): Lock | undefined {
  try {
    return locks.acquire(name, purpose)
  } catch (error) {
    if (isTidemarkError(error, 'LOCKED')) return undefined
    throw error
  }
}

/** True where somebody has the lock of that name: whoever works on a generation has its lock. */
export function isLocked(locks: Locks, name: string, purpose: string): boolean {
  const lock = tryLock(locks, name, purpose)
  lock?.release()
  return lock === undefined
}
