import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Chain } from './chain.ts'
import type { Death } from './deaths.ts'
import { newStepFile, stepsTaken, until } from './steps-taken.ts'

/** Runs the job and kills it as told. False where it was done before it could be killed. */
export async function die(chain: Chain, args: readonly string[], death: Death): Promise<boolean> {
  switch (death.at) {
    case 'step':
      return await dieAtStep(chain, args, `${death.step}@${death.nth}`)
    case 'work':
      return await kill(chain, args, death.delayMs, (steps) => steps.length >= death.entered)
    case 'launch':
      return await kill(chain, args, death.delayMs, () => true)
    case 'recovery':
      return await dieInRecovery(chain, args, death)
  }
}

async function dieAtStep(chain: Chain, args: readonly string[], hold: string): Promise<boolean> {
  return await kill(chain, args, 0, (steps) => steps.at(-1) === 'holding', hold)
}

async function dieInRecovery(
  chain: Chain,
  args: readonly string[],
  { nth, step }: Extract<Death, { at: 'recovery' }>,
): Promise<boolean> {
  // What an earlier death left behind is made up for first: the step of the slice is the nth one after that.
  if (!(await dieAtStep(chain, args, `outside-commit@${nth}`))) return false
  expect(await dieAtStep(chain, args, `${step}@1`)).toBe(true)
  const steps = stepsTaken(stepFile(chain))
  expect(steps.join()).not.toContain('process')
  return true
}

async function kill(
  chain: Chain,
  args: readonly string[],
  delayMs: number,
  ready: (steps: readonly string[]) => boolean,
  hold?: string,
): Promise<boolean> {
  const path = newStepFile(stepFile(chain))
  const process = chain.start(args, {
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

function stepFile({ folder }: Chain): string {
  return join(folder, 'steps')
}
