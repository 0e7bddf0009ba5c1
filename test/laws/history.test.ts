import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { verifyJob } from '../../src/runtime/history/verify-job.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { mortal } from './support/mortal.ts'
import { happen, live, PAST, stateOf } from './support/past.ts'
import { jobOf } from './support/random-case.ts'
import { replay } from './support/replay.ts'
import { WORLDS } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 40, embedded: 6 }

describe.each(Object.entries(WORLDS))('history on the %s adapter', (name, makeWorld) => {
  const parameters = () => propertyRuns(RUNS[name] ?? 10)

  it('a replay of all that has happened comes to the same state', async () => {
    await fc.assert(
      fc.asyncProperty(PAST, async (past) => {
        const world = makeWorld()
        try {
          await live(world, past)
          const before = stateOf(world.process(), past.randomCase, 'g1')
          await replay(world.process(), past.randomCase)
          expect(stateOf(world.process(), past.randomCase, 'again')).toEqual(before)
          const loaded = { job: jobOf(past.randomCase.spec), path: 'random.ts', hash: 'hash' }
          for (const generation of ['g1', 'again']) {
            const verified = await verifyJob(world.process(), loaded, { generation })
            expect(verified.runs.filter(({ verdict }) => verdict !== 'same')).toEqual([])
            expect(verified.runs.length).toBeGreaterThan(0)
          }
          expect(stateOf(world.process(), past.randomCase, 'g1')).toEqual(before)
          expect(world.process().state.generations('random')).toEqual(['again', 'g1'])
        } finally {
          await world.end()
        }
      }),
      parameters(),
    )
  })

  it('a replay goes on where it was killed, and where the other one has gone on meanwhile', async () => {
    const death = fc.record({ step: fc.constantFrom(...COMMIT_STEPS), nth: fc.integer({ min: 1, max: 9 }) })
    let died = 0
    await fc.assert(
      fc.asyncProperty(PAST, fc.array(death, { minLength: 1, maxLength: 3 }), async (past, deaths) => {
        const world = makeWorld()
        try {
          const events = [...past.events]
          await live(world, { ...past, events: events.splice(0, 3) })
          for (const each of deaths) {
            const process = mortal(world.process(), each)
            await replay(process.env, past.randomCase).catch((error) => {
              if (!process.died()) throw error
            })
            if (process.died()) died++
            world.crash()
            for (const event of events.splice(0, 2)) await happen(world, past.randomCase, event)
          }
          await replay(world.process(), past.randomCase)
          expect(stateOf(world.process(), past.randomCase, 'again')).toEqual(
            stateOf(world.process(), past.randomCase, 'g1'),
          )
        } finally {
          await world.end()
        }
      }),
      parameters(),
    )
    expect(died).toBeGreaterThan(0)
  })
})
