import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { Killed, mortal } from './support/mortal.ts'
import { append, fill, type Result, resultOf, run } from './support/play.ts'
import { CASE, jobOf, type RandomCase } from './support/random-case.ts'
import { expectVerified } from './support/verified.ts'
import { WORLDS, type World } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 60, embedded: 12 }

/** Fills a new world with a case, lets `act` happen in it, and gives what came of it. */
async function outcome(
  makeWorld: () => World,
  randomCase: RandomCase,
  act: (world: World) => Promise<unknown>,
  batchRecords = 1,
): Promise<Result> {
  const world = makeWorld()
  try {
    await fill(world.process().log, randomCase, batchRecords)
    await act(world)
    return await resultOf(world.process(), randomCase)
  } finally {
    await world.end()
  }
}

const whole = (randomCase: RandomCase) => ({ ...randomCase, spec: { ...randomCase.spec, sliceRecords: 1000 } })

describe.each(Object.entries(WORLDS))('on the %s adapter', (name, makeWorld) => {
  const parameters = () => propertyRuns(RUNS[name] ?? 10)

  it('law 1, split: slices and cuts at times change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(CASE, fc.array(fc.nat(120), { minLength: 1, maxLength: 4 }), async (randomCase, times) => {
        const uncut = await outcome(makeWorld, whole(randomCase), (world) => run(world.process(), whole(randomCase)))
        const sliced = await outcome(makeWorld, randomCase, (world) => run(world.process(), randomCase))
        expect(sliced).toEqual(uncut)
        const cut = await outcome(makeWorld, randomCase, async (world) => {
          for (const time of [...times].sort((a, b) => a - b))
            await run(world.process(), randomCase, { to: `@${time}` })
          await run(world.process(), randomCase)
        })
        expect(cut).toEqual(uncut)
      }),
      parameters(),
    )
  })

  it('law 1, split: any cut of a single partition changes nothing', async () => {
    const shapes = fc.constantFrom(
      'windows',
      'sliding-closed',
      'final-sessions',
      'processed',
      'streams-joined',
      'groups-joined',
    )
    const single = fc.tuple(CASE, shapes).map(([randomCase, shape]) => ({
      ...randomCase,
      partitions: 1,
      spec: { ...randomCase.spec, shape },
      records: randomCase.records.map((record) => ({ ...record, partition: 0 })),
    }))
    await fc.assert(
      fc.asyncProperty(single, fc.array(fc.nat(40), { minLength: 1, maxLength: 4 }), async (randomCase, offsets) => {
        const uncut = await outcome(makeWorld, whole(randomCase), (world) => run(world.process(), whole(randomCase)))
        const cut = await outcome(makeWorld, randomCase, async (world) => {
          for (const offset of [...offsets].sort((a, b) => a - b)) {
            await run(world.process(), randomCase, { to: String(offset) })
          }
          await run(world.process(), randomCase)
        })
        expect(cut).toEqual(uncut)
      }),
      parameters(),
    )
  })

  it('law 2, crash: dying at any step and running again changes nothing', async () => {
    const deaths = fc.array(
      fc.record({ step: fc.constantFrom(...COMMIT_STEPS), nth: fc.integer({ min: 1, max: 4 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    let died = 0
    await fc.assert(
      fc.asyncProperty(CASE, deaths, async (randomCase, plan) => {
        const undisturbed = await outcome(makeWorld, randomCase, (world) => run(world.process(), randomCase))
        const disturbed = await outcome(makeWorld, randomCase, async (world) => {
          for (const death of plan) {
            const process = mortal(world.process(), death)
            await run(process.env, randomCase).catch((error) => {
              if (!process.died()) throw error
            })
            if (process.died()) died++
            world.crash()
          }
          await run(world.process(), randomCase)
          await expectVerified(world.process(), jobOf(randomCase.spec))
        })
        expect(disturbed).toEqual(undisturbed)
      }),
      parameters(),
    )
    expect(died).toBeGreaterThan(0)
  })

  it('law 4, replay: other batches and other slices give the same', async () => {
    await fc.assert(
      fc.asyncProperty(CASE, fc.integer({ min: 1, max: 9 }), async (randomCase, batchRecords) => {
        const once = await outcome(makeWorld, randomCase, (world) => run(world.process(), randomCase))
        const again = await outcome(makeWorld, randomCase, (world) => run(world.process(), randomCase), batchRecords)
        expect(again).toEqual(once)
      }),
      parameters(),
    )
  })

  it('law 6, isolation: ranges of their own leave the live generation alone', async () => {
    await fc.assert(
      fc.asyncProperty(CASE, CASE, fc.nat(60), async (randomCase, later, time) => {
        const more = later.records.map((record) => ({ ...record, partition: record.partition % randomCase.partitions }))
        const live = async (world: World, between: () => Promise<unknown>) => {
          await run(world.process(), randomCase)
          await between()
          await append(world.process().log, more, 1)
          await between()
          await run(world.process(), randomCase)
        }
        const alone = await outcome(makeWorld, randomCase, (world) => live(world, async () => {}))
        let ranges = 0
        const beside = await outcome(makeWorld, randomCase, (world) =>
          live(world, async () => {
            ranges++
            await run(world.process(), randomCase, { from: 'earliest', to: `@${time}`, as: `range-${ranges}` })
            await run(world.process(), randomCase, { from: '0', as: `whole-${ranges}` })
          }),
        )
        expect(beside).toEqual(alone)
      }),
      parameters(),
    )
  })
})

it('a dead process changes nothing any more', async () => {
  const world = WORLDS['memory']?.() as World
  const process = mortal(world.process(), { step: 'process', nth: 1 })
  expect(() => process.env.steps.enter('process')).toThrow(Killed)
  expect(() => process.env.state.jobs()).toThrow(Killed)
})
