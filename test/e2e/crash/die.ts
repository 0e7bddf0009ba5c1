import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { startIn } from '../helpers/tidemark.ts'
import type { CrashCopy } from './crash-log.ts'
import type { Death } from './deaths.ts'
import { newStepFile, stepsTaken, until } from './steps-taken.ts'

/** Runs the job in a copy and kills it as told. False where it was done before it could be killed. */
export async function die(copy: CrashCopy, args: readonly string[], death: Death): Promise<boolean> {
  switch (death.at) {
    case 'step':
      return await dieAtStep(copy, args, `${death.step}@${death.nth}`)
    case 'work':
      return await kill(copy, args, death.delayMs, (steps) => steps.length >= death.entered)
    case 'launch':
      return await kill(copy, args, death.delayMs, () => true)
    case 'recovery':
      return await dieInRecovery(copy, args, death)
  }
}

async function dieAtStep(copy: CrashCopy, args: readonly string[], hold: string): Promise<boolean> {
  return await kill(copy, args, 0, (steps) => steps.at(-1) === 'holding', hold)
}

async function dieInRecovery(
  copy: CrashCopy,
  args: readonly string[],
  { nth, step }: Extract<Death, { at: 'recovery' }>,
): Promise<boolean> {
  // What an earlier death left behind is made up for first: the step of the slice is the nth one after that.
  if (!(await dieAtStep(copy, args, `outside-commit@${nth}`))) return false
  expect(await dieAtStep(copy, args, `${step}@1`)).toBe(true)
  const steps = stepsTaken(stepFile(copy))
  expect(steps.join()).not.toContain('process')
  return true
}

async function kill(
  copy: CrashCopy,
  args: readonly string[],
  delayMs: number,
  ready: (steps: readonly string[]) => boolean,
  hold?: string,
): Promise<boolean> {
  const path = newStepFile(stepFile(copy))
  const process = startIn(copy.folder, args, {
    ...copy.env,
    TIDEMARK_STEP_FILE: path,
    ...(hold === undefined ? {} : { TIDEMARK_STEP_HOLD: hold }),
  })
  if (await until(path, process, ready)) {
    if (delayMs > 0) await setTimeout(delayMs)
    process.child.kill('SIGKILL')
  }
  const { status, stdout, stderr } = await process.ended
  if (status === null) return true
  expect({ status, stdout, stderr }).toMatchObject({ status: 0 })
  return false
}

function stepFile({ folder }: CrashCopy): string {
  return join(folder, 'steps')
}
