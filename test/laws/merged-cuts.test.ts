import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MERGE_START, MERGED_AFTER_MS, mergedCuts } from '../../src/runtime/history/merged-cuts.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { stateOf } from './support/past.ts'
import { fill } from './support/play.ts'
import { CASE, jobOf, type RandomCase } from './support/random-case.ts'
import { replay } from './support/replay.ts'
import { ACTS, type Act, playActs, runOverCuts } from './support/stream-play.ts'
import { NOW, WORLDS, type World } from './support/worlds.ts'

const RUNS: Readonly<Record<string, number>> = { memory: 40, embedded: 6 }

/** Order cannot matter: a row is of the task that wrote it last, so each key has one partition. */
const ORDERLESS = fc.tuple(CASE, fc.constantFrom('count', 'regrouped')).map(([each, shape]) => ({
  ...each,
  spec: { ...each.spec, shape },
  records: each.records.map((record) => ({ ...record, partition: (record.key?.charCodeAt(0) ?? 0) % each.partitions })),
}))

/** Merges all old cuts of the job, a few events at a time, as a stream would after a week. Gives how many went. */
function mergeAll(world: World, { spec }: RandomCase): number {
  const file = world.process().state.open(jobOf(spec).name, 'g1', { create: false })
  if (file === undefined) return 0
  let place = MERGE_START
  let went = 0
  for (;;) {
    const events = file.events(place.after, 3)
    const merged = mergedCuts(events, place, NOW + 2 * MERGED_AFTER_MS)
    const gone = merged.gone.map(({ number }) => number)
    file.replaceEvents(merged.replaced, gone)
    went += gone.length
    if (merged.place.after === place.after) break
    place = merged.place
  }
  file.close()
  return went
}

/** A world in which the acts have happened, whose cuts are merged then; undefined where there was nothing to do. */
async function merged(world: World, randomCase: RandomCase, acts: readonly Act[]): Promise<number | undefined> {
  await fill(world.process().log, { ...randomCase, records: [] }, 1)
  await playActs(world, randomCase, acts)
  return world.process().state.generations('random').length === 0 ? undefined : mergeAll(world, randomCase)
}

describe.each(Object.entries(WORLDS))('cuts of streams that are merged, on the %s adapter', (name, makeWorld) => {
  const parameters = () => propertyRuns(RUNS[name] ?? 10)

  it('are replayed to what runs over these cuts come to', async () => {
    let went = 0
    await fc.assert(
      fc.asyncProperty(CASE, ACTS, async (randomCase, acts) => {
        const world = makeWorld()
        const same = makeWorld()
        try {
          const gone = await merged(world, randomCase, acts)
          if (gone === undefined) return
          went += gone
          await fill(same.process().log, randomCase, 1)
          await runOverCuts(same, randomCase, world.process())
          await replay(world.process(), randomCase)
          expect(stateOf(world.process(), randomCase, 'again')).toEqual(stateOf(same.process(), randomCase, 'g1'))
        } finally {
          await world.end()
          await same.end()
        }
      }),
      parameters(),
    )
    if (name === 'memory') expect(went).toBeGreaterThan(0)
  })

  it('are replayed to the state itself where order cannot matter', async () => {
    await fc.assert(
      fc.asyncProperty(ORDERLESS, ACTS, async (randomCase, acts) => {
        const world = makeWorld()
        try {
          if ((await merged(world, randomCase, acts)) === undefined) return
          const before = stateOf(world.process(), randomCase, 'g1')
          await replay(world.process(), randomCase)
          expect(stateOf(world.process(), randomCase, 'again')).toEqual(before)
        } finally {
          await world.end()
        }
      }),
      parameters(),
    )
  })

  it('are gone on with by a replay that stood at one of them, without a record twice', async () => {
    let amid = 0
    await fc.assert(
      fc.asyncProperty(ORDERLESS, ACTS, fc.nat(), async (randomCase, acts, which) => {
        const world = makeWorld()
        try {
          await fill(world.process().log, { ...randomCase, records: [] }, 1)
          await playActs(world, randomCase, acts)
          const before = cutsOf(world)
          if (before.length === 0) return
          const upTo = before[which % before.length] ?? 0
          await replay(world.process(), randomCase, { upTo })
          mergeAll(world, randomCase)
          if (!cutsOf(world).includes(upTo)) amid++
          await replay(world.process(), randomCase)
          expect(stateOf(world.process(), randomCase, 'again')).toEqual(stateOf(world.process(), randomCase, 'g1'))
        } finally {
          await world.end()
        }
      }),
      parameters(),
    )
    if (name === 'memory') expect(amid).toBeGreaterThan(0)
  })
})

/** The numbers of the commits that cuts were made with. */
function cutsOf(world: World): readonly number[] {
  const file = world.process().state.open('random', 'g1', { create: false, readonly: true })
  const seqs = (file?.events() ?? []).filter(({ kind }) => kind === 'cut').map(({ seq }) => seq)
  file?.close()
  return seqs
}
