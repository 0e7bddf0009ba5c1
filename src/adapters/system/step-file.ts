import { existsSync, openSync, writeSync } from 'node:fs'
import type { CommitStep, StepObserver, SwitchStep } from '../../ports/steps.ts'

const LOOK_EVERY_MS = 5

/** Watches nothing. */
export const noSteps: StepObserver = { enter: () => {} }

/**
 * Writes each commit step to a file before it is entered, a line each: its running number and its name. With `hold`,
 * `STEP@N`, the process stands still when it is about to enter that step for the Nth time, until there is a file
 * `PATH.go`: a crash test can kill it exactly there, or send it a signal that it finds when it goes on.
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
        standStillUntil(`${path}.go`)
      }
    },
  }
}

function standStillUntil(file: string): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(file)) Atomics.wait(sleeper, 0, 0, LOOK_EVERY_MS)
}
