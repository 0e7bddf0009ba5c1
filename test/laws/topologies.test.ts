import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { TOPOLOGIES } from '../conformance/topologies/all.ts'
import { VECTORS_FOLDER, type VectorRecord, vectorCases, vectorIds } from '../conformance/vectors.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import { mortal } from './support/mortal.ts'
import { fillTopics, runJob, stateOf, type TopologyJob, topologyJob } from './support/topology-play.ts'
import { WORLDS, type World } from './support/worlds.ts'

/** The inputs of a topology that it does not fail on. */
const inputsOf = (id: string) =>
  vectorCases(id)
    .filter(({ failedAt }) => failedAt === undefined)
    .map(({ input }) => input)

/** Where event time is not the record's timestamp, a cut at one is no cut of the merged order, and partitions may begin without. */
const hasOwnTime = (id: string) => id.startsWith('timestamp-')

const PLAN = fc.record({
  which: fc.nat(),
  partitions: fc.integer({ min: 1, max: 3 }),
  sliceRecords: fc.integer({ min: 1, max: 30 }),
  cacheEntries: fc.constantFrom(2, 20, 1000),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 }),
  batchRecords: fc.integer({ min: 2, max: 9 }),
  deaths: fc.array(fc.record({ step: fc.constantFrom(...COMMIT_STEPS), nth: fc.integer({ min: 1, max: 4 }) }), {
    minLength: 1,
    maxLength: 2,
  }),
})

interface Play extends TopologyJob {
  readonly partitions: number
  readonly input: readonly VectorRecord[]
}

/** What comes of a topology's input, where `act` happens. */
async function outcome(play: Play, act: (world: World) => Promise<void>, batchRecords = 1): Promise<unknown> {
  const world = WORLDS['memory']?.() as World
  const job = topologyJob(play)
  await fillTopics(world.process().log, job, play.partitions, play.input, batchRecords)
  await act(world)
  return stateOf(world.process(), job)
}

let died = 0
const ids = vectorIds() ?? []
if (ids.length === 0) {
  process.stdout.write(`No vectors at ${VECTORS_FOLDER}: laws over their topologies are skipped.\n`)
  it('vectors are not here', ({ skip }) => skip('no vectors'))
} else {
  describe('every topology of the vectors', () => {
    const fallible = ids.filter((id) => inputsOf(id).length === 0)

    it('has an input that it does not fail on, but for the one that is to fail', () => {
      expect(fallible.filter((id) => id !== 'timestamp-fail')).toEqual([])
    })

    it.each(ids.filter((id) => TOPOLOGIES[id] !== undefined && !fallible.includes(id)))(
      '%s keeps laws 1, 2 and 4',
      lawsOf,
    )

    it('killed processes on the way', () => {
      expect(died).toBeGreaterThan(0)
    })
  })
}

async function lawsOf(id: string): Promise<void> {
  const inputs = inputsOf(id)
  await fc.assert(
    fc.asyncProperty(PLAN, async ({ which, partitions, sliceRecords, cacheEntries, cuts, batchRecords, deaths }) => {
      const input = inputs[which % inputs.length] ?? []
      const play: Play = { id, partitions: hasOwnTime(id) ? 1 : partitions, input, sliceRecords, cacheEntries }
      const job = topologyJob(play)
      const uncut: Play = { ...play, sliceRecords: 100_000, cacheEntries: 1000 }
      const whole = await outcome(uncut, (world) => runJob(world.process(), topologyJob(uncut)))

      const sliced = await outcome(play, (world) => runJob(world.process(), job), batchRecords)
      expect(sliced).toEqual(whole)

      const times = hasOwnTime(id) ? [] : cutTimes(input, cuts)
      const cut = await outcome(play, async (world) => {
        for (const time of times) await runJob(world.process(), job, { to: `@${time}` })
        await runJob(world.process(), job)
      })
      expect(cut).toEqual(whole)

      const crashed = await outcome(play, async (world) => {
        for (const death of deaths) {
          const process = mortal(world.process(), death)
          await runJob(process.env, job).catch((error) => {
            if (!process.died()) throw error
          })
          if (process.died()) died++
          world.crash()
        }
        await runJob(world.process(), job)
      })
      expect(crashed).toEqual(whole)
    }),
    propertyRuns(1),
  )
}

/** Times between the first and the last record, in order. */
function cutTimes(input: readonly VectorRecord[], cuts: readonly number[]): readonly number[] {
  const times = input.map(({ timestamp }) => timestamp).sort((one, other) => one - other)
  return [...cuts].sort((one, other) => one - other).map((at) => times[Math.floor(at * (times.length - 1))] ?? 0)
}
