import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { append, fill, resultOf, run } from './support/play.ts'
import { CASE, jobOf, type RandomCase } from './support/random-case.ts'
import { ACTS, type Act, playActs, runOverCuts } from './support/stream-play.ts'
import { expectVerified } from './support/verified.ts'
import { WORLDS, type World } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 40, embedded: 10 }

const none = (randomCase: RandomCase): RandomCase => ({ ...randomCase, records: [] })

/** What comes of a case in which modes change, and of the same records over the same cuts. */
async function switched(makeWorld: () => World, randomCase: RandomCase, acts: readonly Act[]) {
  const world = makeWorld()
  const same = makeWorld()
  try {
    await fill(world.process().log, none(randomCase), 1)
    const died = await playActs(world, randomCase, acts)
    await fill(same.process().log, randomCase, 1)
    await runOverCuts(same, randomCase, world.process())
    if (world.process().state.generations('random').length > 0) {
      await expectVerified(world.process(), jobOf(randomCase.spec))
    }
    return {
      died,
      switched: await resultOf(world.process(), randomCase),
      overCuts: await resultOf(same.process(), randomCase),
    }
  } finally {
    await world.end()
    await same.end()
  }
}

/** What comes of a case that is run once. */
async function uncut(makeWorld: () => World, randomCase: RandomCase) {
  const world = makeWorld()
  try {
    await fill(world.process().log, none(randomCase), 1)
    await append(world.process().log, randomCase.records, 1)
    await run(world.process(), randomCase)
    return await resultOf(world.process(), randomCase)
  } finally {
    await world.end()
  }
}

describe.each(Object.entries(WORLDS))('law 3, stream, on the %s adapter', (name, makeWorld) => {
  const parameters = () => propertyRuns(RUNS[name] ?? 10)

  it('runs and streams in any order, dying anywhere, come to one run over the same cuts', async () => {
    let died = 0
    await fc.assert(
      fc.asyncProperty(CASE, ACTS, async (randomCase, acts) => {
        const came = await switched(makeWorld, randomCase, acts)
        died += came.died
        expect(came.switched).toEqual(came.overCuts)
      }),
      parameters(),
    )
    expect(died).toBeGreaterThan(0)
  })

  it('and where order cannot matter, to one uncut run', async () => {
    const shapes = fc.constantFrom('count', 'regrouped')
    const orderless = fc.tuple(CASE, shapes).map(([each, shape]) => ({ ...each, spec: { ...each.spec, shape } }))
    await fc.assert(
      fc.asyncProperty(orderless, ACTS, async (randomCase, acts) => {
        const { switched: came } = await switched(makeWorld, randomCase, acts)
        const { stores, tables, counts } = await uncut(makeWorld, randomCase)
        expect(came).toMatchObject({ stores, tables, counts })
      }),
      parameters(),
    )
  })
})
