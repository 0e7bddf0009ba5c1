import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Passes records on as they are: stream sources, merges, late streams. */
export function passOn(step: Step): Operator {
  return { process: step.forward }
}
