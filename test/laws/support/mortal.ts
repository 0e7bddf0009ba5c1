import type { CommitStep, SwitchStep } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'

/** What everything throws once the process is dead. */
export class Killed extends Error {
  constructor() {
    super('the process is dead')
  }
}

/** Where a process dies: when it is about to enter this step for the `nth` time. */
export interface Death {
  readonly step: CommitStep | SwitchStep
  readonly nth: number
}

/**
 * An environment whose process dies at a commit step: from then on every call to a port throws and changes nothing, the
 * clean-up of a run that fails included, as in a process that is killed. `died` tells whether it came to that.
 */
export function mortal(
  env: Environment,
  death: Death | null,
): { readonly env: Environment; readonly died: () => boolean } {
  let dead = false
  let entered = 0
  const guard = <T>(target: T): T => {
    if (typeof target !== 'object' || target === null || ArrayBuffer.isView(target) || Array.isArray(target))
      return target
    return new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name, object)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (dead) throw new Killed()
          const result: unknown = value.apply(object, args)
          if (result instanceof Promise)
            return result.then((settled) => (dead ? Promise.reject(new Killed()) : guard(settled)))
          return guard(result)
        }
      },
    })
  }
  const steps = {
    enter: (step: CommitStep | SwitchStep) => {
      if (dead) throw new Killed()
      env.steps.enter(step)
      if (death === null || step !== death.step) return
      entered++
      if (entered < death.nth) return
      dead = true
      throw new Killed()
    },
  }
  const { log, state, locks } = env
  return { env: { ...env, log: guard(log), state: guard(state), locks: guard(locks), steps }, died: () => dead }
}
