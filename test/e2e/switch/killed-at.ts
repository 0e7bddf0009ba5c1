import { join } from 'node:path'
import { expect } from 'vitest'
import { newStepFile, until } from '../crash/steps-taken.ts'
import type { Place } from './switch-world.ts'

/** Kills a command where it is about to enter a step, `step@nth`. */
export async function killedAt(place: Place, args: readonly string[], hold: string): Promise<void> {
  const path = newStepFile(join(place.folder, 'steps'))
  const process = place.start(args, { TIDEMARK_STEP_FILE: path, TIDEMARK_STEP_HOLD: hold })
  expect({ hold, held: await until(path, process, (steps) => steps.at(-1) === 'holding') }).toEqual({
    hold,
    held: true,
  })
  process.child.kill('SIGKILL')
  await process.ended
}
