import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { Backfill } from '../../src/runtime/backfill/backfill.ts'
import type { BackfillRequest } from '../../src/runtime/backfill/backfill-request.ts'
import type { Environment } from '../../src/runtime/environment.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { type Death, mortal } from './support/mortal.ts'
import { fill, resultOf, run } from './support/play.ts'
import { CASE, jobOf, type RandomCase } from './support/random-case.ts'
import { WORLDS } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 60, embedded: 10 }

function backfill(env: Environment, { spec }: RandomCase, asked: Pick<BackfillRequest, 'from' | 'to' | 'every'>) {
  const loaded = { job: jobOf(spec), path: 'random.ts', hash: 'hash' }
  const plain = { missing: false, as: 'filled', emit: false, replace: false, onDataLoss: 'fail' } as const
  return new Backfill(env).run(loaded, { ...plain, recordsPerSecond: null, ...asked })
}

const DEATH: fc.Arbitrary<Death> = fc.record({
  step: fc.constantFrom(...COMMIT_STEPS),
  nth: fc.integer({ min: 1, max: 6 }),
})
const BOUNDS = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 30 }))

describe.each(Object.entries(WORLDS))('on the %s adapter', (name, makeWorld) => {
  it('a backfill in parts, dying anywhere, comes to one range, and leaves the live generation alone', async () => {
    let parts = 0
    let died = 0
    await fc.assert(
      fc.asyncProperty(
        CASE,
        BOUNDS,
        fc.array(DEATH, { maxLength: 3 }),
        async (randomCase, [from, span, ms], deaths) => {
          const range = { from: `@${from}`, to: `@${from + span}` }
          const world = makeWorld()
          try {
            await fill(world.process().log, randomCase, 2)
            await run(world.process(), randomCase)
            const live = await resultOf(world.process(), randomCase)
            for (const death of deaths) {
              const process = mortal(world.process(), death)
              await backfill(process.env, randomCase, { ...range, every: { kind: 'time', ms } }).catch((error) => {
                if (!process.died()) throw error
                died++
              })
              if (process.died()) world.crash()
            }
            const asked = { ...range, every: { kind: 'time', ms } } as const
            await backfill(world.process(), randomCase, asked)
            expect(await backfill(world.process(), randomCase, asked)).toMatchObject({ outcome: 'covered' })
            const whole = { ...randomCase, spec: { ...randomCase.spec, sliceRecords: 1000 } }
            await run(world.process(), whole, { ...range, as: 'whole' })
            const filled = await resultOf(world.process(), randomCase, 'filled')
            const once = await resultOf(world.process(), randomCase, 'whole')
            expect({ stores: filled.stores, counts: filled.counts }).toEqual({
              stores: once.stores,
              counts: once.counts,
            })
            expect(await resultOf(world.process(), randomCase)).toEqual(live)
            parts += Math.ceil(span / ms)
          } finally {
            await world.end()
          }
        },
      ),
      propertyRuns(RUNS[name] ?? 10),
    )
    expect(parts).toBeGreaterThan(1)
    expect(died).toBeGreaterThan(0)
  })
})
