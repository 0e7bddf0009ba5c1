import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../../src/ports/steps.ts'
import { expectVerified } from '../helpers/expect-verified.ts'
import type { Chain } from './chain.ts'
import { Chance } from './chance.ts'
import { deaths, RECOVERY_STEPS, sooner, type Took } from './deaths.ts'
import { die } from './die.ts'
import { KILLS, SEED } from './kills.ts'
import { type Outcome, outcome } from './outcome.ts'
import { newStepFile, until } from './steps-taken.ts'
import { JOB, PURCHASES, SHOPS } from './till.ts'

const RUN = ['run', JOB, '--json']
const PER_KILL_MS = 60_000

/** What differs with the log. */
export interface CrashWorld {
  /** Brings the input of all chains into the log. */
  prepare(): Promise<void>
  /** A chain at its beginning. */
  chain(): Promise<Chain>
  /** Looks at what a chain came to in further ways. Its state is not to be used any more. */
  check?(chain: Chain, came: Outcome): Promise<void>
}

/** The tests of a run that is killed and started again. Call it in a describe. */
export function crashTests(world: CrashWorld): void {
  let undisturbed: Outcome
  let took: Took

  beforeAll(async () => {
    await world.prepare()
    const chain = await world.chain()
    took = await timesOf(chain)
    undisturbed = await outcome(chain)
    await world.check?.(chain, undisturbed)
  }, 120_000)

  it('is a run of many slices with something of everything', () => {
    const { stores, outputs, counts } = undisturbed
    expect(counts).toMatchObject({ records: PURCHASES + SHOPS, committing: ['done'] })
    expect(counts.slices).toBeGreaterThan(50)
    for (const counter of ['late', 'droppedWindows', 'skipped', 'deadLettered'] as const) {
      expect(counts[counter]).toBeGreaterThan(0)
    }
    for (const rows of [stores, outputs].flatMap((part) => Object.values(part))) {
      expect(Object.keys(rows).length).toBeGreaterThan(1)
    }
  })

  it('comes to the same, wherever it was killed', { timeout: 60_000 + KILLS * PER_KILL_MS }, async () => {
    const left = deaths(KILLS, new Chance(SEED), took)
    const died = new Map<string, number>()
    while (left.length > 0) {
      const chain = await world.chain()
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        if (!(await die(chain, RUN, next))) {
          left.push(sooner(next)) // this run is done: it is for the next one
          break
        }
        const name = 'step' in next ? `${next.at} ${next.step}` : next.at
        died.set(name, (died.get(name) ?? 0) + 1)
      }
      expect(await chain.start(RUN).ended).toMatchObject({ status: 0 })
      const came = await outcome(chain)
      expect(came).toEqual(undisturbed)
      await expectVerified(chain, JOB)
      await world.check?.(chain, came)
    }
    for (const step of COMMIT_STEPS) expect(died.get(`step ${step}`)).toBe(KILLS)
    for (const step of RECOVERY_STEPS) expect(died.get(`recovery ${step}`)).toBe(KILLS)
    expect(died.get('work')).toBe(COMMIT_STEPS.length * KILLS)
  })
}

/** Runs the job to its end, and takes the time. */
async function timesOf(chain: Chain): Promise<Took> {
  const steps = newStepFile(join(chain.folder, 'steps'))
  const launched = performance.now()
  const process = chain.start(RUN, { TIDEMARK_STEP_FILE: steps })
  expect(await until(steps, process, (taken) => taken.length > 0)).toBe(true)
  const begun = performance.now()
  const { status, stdout, stderr } = await process.ended
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const { slices } = JSON.parse(stdout) as { slices: number }
  return { launchMs: begun - launched, sliceMs: (performance.now() - begun) / slices }
}
