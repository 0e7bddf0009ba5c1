import { join } from 'node:path'
import { expect } from 'vitest'
import { newStepFile, stepsTaken } from '../crash/steps-taken.ts'
import type { Place } from './switch-world.ts'

/** The steps that a command enters, each as what holds it there. */
export async function stepsOf(place: Place, args: readonly string[]): Promise<readonly string[]> {
  const path = newStepFile(join(place.folder, 'steps'))
  expect(await place.start(args, { TIDEMARK_STEP_FILE: path }).ended).toMatchObject({ status: 0 })
  const times = new Map<string, number>()
  return stepsTaken(path).map((line) => {
    const step = line.split(' ')[1] ?? ''
    const nth = (times.get(step) ?? 0) + 1
    times.set(step, nth)
    return `${step}@${nth}`
  })
}
