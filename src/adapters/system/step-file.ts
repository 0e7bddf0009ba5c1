import { openSync, writeSync } from 'node:fs'
import type { CommitStep, StepObserver, SwitchStep } from '../../ports/steps.ts'

/** Watches nothing. */
export const noSteps: StepObserver = { enter: () => {} }

/**
 * Writes each commit step to a file before it is entered, a line each: its running number and its name. With `hold`,
 * `STEP@N`, the process stands still for ever when it is about to enter that step for the Nth time: a crash test can
 * then kill it exactly there.
 */
export function stepFile(path: string, hold: string | undefined): StepObserver {
  const file = openSync(path, 'a')
  const [holdStep, holdTime] = hold?.split('@') ?? []
  const entered = new Map<CommitStep | SwitchStep, number>()
  let number = 0
  return {
    enter: (step) => {
      const times = (entered.get(step) ?? 0) + 1
      entered.set(step, times)
      number++
      writeSync(file, `${number} ${step}\n`)
      if (step === holdStep && times === Number(holdTime)) {
        writeSync(file, 'holding\n')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
      }
    },
  }
}
