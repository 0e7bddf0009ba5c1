import { COMMIT_STEPS, type CommitStep } from '../../../src/ports/steps.ts'
import type { Chance } from './chance.ts'

/** The steps that a start enters when it delivers a committed slice again. */
export const RECOVERY_STEPS = ['send', 'acknowledge', 'outside-commit', 'delivered'] as const

/** How a process is killed. */
export type Death =
  /** When it is about to enter a step for the nth time. */
  | { readonly at: 'step'; readonly step: CommitStep; readonly nth: number }
  /** Some time after it has entered so many steps, wherever it is then. */
  | { readonly at: 'work'; readonly entered: number; readonly delayMs: number }
  /** Some time after its launch. */
  | { readonly at: 'launch'; readonly delayMs: number }
  /** Once when the nth slice is committed here but not outside, and then the next one when it makes up for that. */
  | { readonly at: 'recovery'; readonly nth: number; readonly step: (typeof RECOVERY_STEPS)[number] }

/** How long a run takes from its launch to its first step, and then for each slice. */
export interface Took {
  readonly launchMs: number
  readonly sliceMs: number
}

/**
 * The deaths of a test, in the order in which they are died: `kills` at each numbered step, as many at random moments of
 * the work, and `kills` each at random moments of the launch and in the steps of a recovery. `took` is measured of a run that
 * lives.
 */
export function deaths(kills: number, chance: Chance, took: Took): Death[] {
  const times = (count: number, make: (number: number) => Death) => Array.from({ length: count }, (_, i) => make(i))
  const steps = COMMIT_STEPS.flatMap((step) => times(kills, () => ({ at: 'step', step, nth: chance.from(1, 5) })))
  return chance.shuffled([
    ...steps,
    ...times(steps.length, () => ({
      at: 'work',
      entered: chance.from(1, 40),
      delayMs: chance.next() * 2 * took.sliceMs,
    })),
    ...times(kills, () => ({ at: 'launch', delayMs: chance.next() * took.launchMs })),
    ...RECOVERY_STEPS.flatMap((step) => times(kills, () => ({ at: 'recovery', nth: chance.from(1, 4), step }))),
  ])
}

/** The same death, at a time that a run which was faster than thought does not outlive. */
export function sooner(death: Death): Death {
  return 'delayMs' in death ? { ...death, delayMs: death.delayMs / 2 } : death
}
