import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffGeneration } from '../../src/runtime/diff/diff-generation.ts'
import { EXACT } from '../../src/runtime/diff/tolerance.ts'
import { sinkTopic } from '../../src/runtime/sinks.ts'
import { reprocess } from '../../src/runtime/switching/reprocess.ts'
import { switchGeneration } from '../../src/runtime/switching/switch-generation.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { happen, live, PAST, type Past, stateOf } from './support/past.ts'
import { resultOf, run } from './support/play.ts'
import { jobOf, type RandomCase } from './support/random-case.ts'
import { WORLDS, type World } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 40, embedded: 5 }

describe.each(Object.entries(WORLDS))('a switch on the %s adapter', (name, makeWorld) => {
  it('to the same version, and back, is as if there had been none', async () => {
    await fc.assert(
      fc.asyncProperty(PAST, fc.nat(7), async (past, at) => {
        const [alone, switched] = [makeWorld(), makeWorld()]
        try {
          await play(alone, past, at, async () => {})
          await play(switched, past, at, async () => await switchTo(switched, past.randomCase, 'g2', 'switch'))
          const came = stateOf(switched.process(), past.randomCase, 'g2')
          expect(came).toEqual(stateOf(alone.process(), past.randomCase, 'g1'))
          const { streams, tables } = await resultOf(switched.process(), past.randomCase, 'g2')
          const wanted = await resultOf(alone.process(), past.randomCase)
          expect({ streams, tables }).toEqual({ streams: wanted.streams, tables: wanted.tables })
          await switchTo(switched, past.randomCase, 'g1', 'rollback')
          expect(stateOf(switched.process(), past.randomCase, 'g1')).toEqual(came)
        } finally {
          await alone.end()
          await switched.end()
        }
      }),
      propertyRuns(RUNS[name] ?? 5),
    )
  })
})

/** What happened, and after `at` of the events something else, between runs. */
async function play(
  world: World,
  { randomCase, events }: Past,
  at: number,
  between: () => Promise<void>,
): Promise<void> {
  await live(world, { randomCase, events: events.slice(0, at) })
  await between()
  for (const event of events.slice(at)) {
    await world.process().clock.sleep(7)
    await happen(world, randomCase, event)
  }
  await run(world.process(), randomCase)
}

async function switchTo(
  world: World,
  { spec }: RandomCase,
  generation: 'g1' | 'g2',
  how: 'switch' | 'rollback',
): Promise<void> {
  const env = world.process()
  const loaded = { job: jobOf(spec), path: 'random.ts', hash: 'hash' }
  const jobs = { live: loaded, other: loaded }
  if (how === 'switch') await reprocess(env, loaded, { as: generation, cuts: 'kept', replace: false })
  const diff = await diffGeneration(env, jobs, { generation, tolerance: EXACT, samples: 3 })
  expect(diff).toMatchObject({ differing: 0, onlyLive: [], onlyOther: [] })
  const noCorrections = [...new Set(loaded.job.topology.nodes.flatMap((node) => sinkTopic(node) ?? []))]
  const gates = { maxCatchUp: 0, maxDifferent: 0, tolerance: EXACT }
  await switchGeneration(env, jobs, { generation, how, ...gates, noCorrections, keep: 1 })
}
