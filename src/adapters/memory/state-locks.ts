import { TidemarkError } from '../../core/errors.ts'
import type { Lock, Locks } from '../../ports/lock.ts'
import { parseLockName } from '../state-rules/lock-name.ts'

/** Locks in memory. */
export class MemoryLocks implements Locks {
  readonly #held = new Map<string, { readonly about: string }>()

  acquire(name: string, about: string): Lock {
    parseLockName(name)
    const holder = this.#held.get(name)
    if (holder !== undefined) {
      throw new TidemarkError('LOCKED', `${name} is locked: ${holder.about}`, { hint: 'Try again when it has ended.' })
    }
    const mine = { about }
    this.#held.set(name, mine)
    return {
      release: () => {
        if (this.#held.get(name) === mine) this.#held.delete(name)
      },
    }
  }

  /** As if the process had been killed: all its locks are free. */
  crash(): void {
    this.#held.clear()
  }
}
