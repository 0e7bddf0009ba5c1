import { beforeAll, describe, expect, it } from 'vitest'
import { isTidemarkError } from '../../../src/core/errors.ts'
import type { CommitStep, SwitchStep } from '../../../src/ports/steps.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { rollbackTarget } from '../../../src/runtime/switching/rollback-target.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { Site } from '../runtime/support/site.ts'
import { FIXED, OLD, published, remake, run, tableOf, turn, turnBack } from './support/versions.ts'

type Step = CommitStep | SwitchStep

/** A switch that has to catch up, and makes its corrections in several slices. */
async function beforeSwitch(): Promise<Site> {
  const site = await Site.with('aabbccdd')
  await run(site.env(), OLD)
  await remake(site.env())
  await site.write('bc')
  await run(site.env(), OLD)
  return site
}

/** A way back after runs of the new version. */
async function beforeRollback(): Promise<Site> {
  const site = await beforeSwitch()
  await turn(site.env())
  await site.write('bd')
  await run(site.env(), FIXED)
  return site
}

const SWITCHED = { a: 2, b: 3, c: 3 }
const ROLLED_BACK = { a: 2, b: 8, d: 3 }

const rollback = async (env: Environment) => {
  const generation = rollbackTarget(env, 'j')
  if (generation === 'g1' && isLive(env, 'g1')) await turnBack(env, { generation }, { live: OLD, other: OLD })
  else await turnBack(env, { generation })
}
const toFixed = async (env: Environment) => {
  if (isLive(env, 'g2')) await turn(env, {}, { live: FIXED, other: FIXED })
  else await turn(env)
}

const CASES = [
  { name: 'a switch', prepare: beforeSwitch, act: toFixed, after: SWITCHED, wrong: ['b=3', 'c=3', 'd=null'] },
  { name: 'a rollback', prepare: beforeRollback, act: rollback, after: ROLLED_BACK, wrong: ['b=8', 'c=null', 'd=3'] },
] as const

describe.each(CASES)('$name', ({ prepare, act, after, wrong }) => {
  let steps: readonly Step[]

  beforeAll(async () => {
    const site = await prepare()
    const entered: Step[] = []
    await act({ ...site.env(), steps: { enter: (step) => void entered.push(step) } })
    steps = entered
    expect(await tableOf(site.log)).toEqual(after)
  })

  it('enters the steps of a switch once each, and those of several commits', () => {
    for (const step of [
      'catch-up',
      'compare',
      'keep-outputs',
      'write-changelogs',
      'switch',
      'adopt',
      'correct',
      'clean',
    ]) {
      expect(steps.filter((entered) => entered === step)).toEqual([step])
    }
    expect(steps.filter((step) => step === 'store-commit').length).toBeGreaterThan(3)
  })

  it('is completed when it is asked again, wherever it was killed, and corrects every key once', async () => {
    for (const { step, nth } of deathsAt(steps)) {
      const site = await prepare()
      const said = await published(site.log)
      await killed(site, act, step, nth)
      await again(() => act(site.env()))
      expect({ step, nth, table: await tableOf(site.log) }).toEqual({ step, nth, table: after })
      expect({ step, nth, said: (await published(site.log)).slice(said.length) }).toEqual({ step, nth, said: wrong })
    }
  })

  it('leaves a job that runs, wherever it was killed, and is completed or made anew behind that', async () => {
    for (const { step, nth } of deathsAt(steps)) {
      const site = await prepare()
      await killed(site, act, step, nth)
      await site.write('aab')
      await again(() => run(site.env(), isLive(site.env(), 'g1') ? OLD : FIXED))
      await again(() => act(site.env()))
      await run(site.env(), isLive(site.env(), 'g1') ? OLD : FIXED)
      const b = after.b + (isLive(site.env(), 'g1') ? 2 : 1)
      expect({ step, nth, table: await tableOf(site.log) }).toEqual({ step, nth, table: { ...after, a: 4, b } })
    }
  })
})

function deathsAt(steps: readonly Step[]): readonly { readonly step: Step; readonly nth: number }[] {
  const times = new Map<Step, number>()
  return steps.map((step) => {
    const nth = (times.get(step) ?? 0) + 1
    times.set(step, nth)
    return { step, nth }
  })
}

async function killed(site: Site, act: (env: Environment) => Promise<void>, step: Step, nth: number): Promise<void> {
  const process = mortal(site.env(), { step, nth })
  await expect(act(process.env)).rejects.toThrow()
  expect(process.died()).toBe(true)
  site.first.state.crash()
  site.first.locks.crash()
}

/** As the command line does where it finds that another generation is live. */
async function again(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isTidemarkError(error, 'GENERATION_SWITCHED')) throw error
    await act()
  }
}

function isLive(env: Environment, name: string): boolean {
  const rows = env.state.jobFile('j').generations()
  return rows.some((row) => row.name === name && row.role === 'live')
}
