import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { VECTORS_FOLDER, vectorIds } from '../conformance/vectors.ts'
import { propertyRuns } from '../fixtures/property-runs.ts'
import type { Piece, Subject } from './support/subject.ts'
import { type Disturbance, type Played, play } from './support/subject-play.ts'
import { SUBJECTS } from './support/subjects.ts'
import { WORLDS, type World } from './support/worlds.ts'

const STEP = fc.constantFrom(...COMMIT_STEPS)

const PLAN = fc.record({
  partitions: fc.integer({ min: 1, max: 3 }),
  cacheEntries: fc.constantFrom(2, 20, 1000),
  /** How many slices a run has about: two sizes. */
  slices: fc.constantFrom([4, 11], [5, 13], [7, 17], [9, 40]),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
  batchRecords: fc.integer({ min: 2, max: 9 }),
  /** The first comes when a slice is stored already, so that a run is to go on; the second anywhere, or never. */
  deaths: fc.tuple(
    fc.record({ step: STEP, nth: fc.constant(2) }),
    fc.record({ step: STEP, nth: fc.integer({ min: 1, max: 3 }) }),
  ),
})

type Plan = typeof PLAN extends fc.Arbitrary<infer P> ? P : never

const { seed, numRuns } = propertyRuns(1)
if (vectorIds() === undefined) {
  process.stdout.write(`No vectors at ${VECTORS_FOLDER}: laws over their topologies are skipped.\n`)
}

/** How a topology is played beside the undisturbed way: fewer times where files are written. */
function disturbances(log: string, piece: Piece, plan: Plan): readonly Disturbance[] {
  const { cacheEntries, cuts, batchRecords, deaths } = plan
  const [few, many] = plan.slices.map((count) => Math.max(1, Math.floor(piece.records.length / count))) as [
    number,
    number,
  ]
  const calm = { ...UNDISTURBED, partitions: plan.partitions, cacheEntries }
  const onFiles = [
    { ...calm, sliceRecords: few, cuts, batchRecords },
    { ...calm, sliceRecords: many, deaths },
  ]
  if (log !== 'memory') return onFiles
  return [
    ...onFiles,
    { ...calm, sliceRecords: few, batchRecords },
    { ...calm, sliceRecords: many },
    { ...calm, sliceRecords: many, cuts },
    { ...calm, sliceRecords: few, cuts, deaths, batchRecords },
  ]
}

const UNDISTURBED: Disturbance = {
  partitions: 1,
  sliceRecords: 100_000,
  cacheEntries: 1000,
  cuts: [],
  batchRecords: 1,
  deaths: [],
}

/** What shows that plays were disturbed: a law over plays in which nothing happened would say nothing. */
const DISTURBED = {
  somethingCame: true,
  read: true,
  wholeInOneGo: true,
  cut: true,
  diedAndWentOn: true,
  sliceSizes: 2,
}

function disturbed(
  subject: Subject,
  whole: Played,
  plays: readonly (readonly [Disturbance, Played])[],
): typeof DISTURBED {
  const { outputs, stores, counts } = whole.outcome
  const runs = subject.clocked ? 3 : 1
  return {
    somethingCame: [...Object.values(outputs), ...Object.values(stores)].some((rows) => rows.length > 0),
    read: (counts['records'] ?? 0) > 0,
    wholeInOneGo: whole.parts <= runs && whole.slices <= runs && whole.died === 0,
    cut: plays.some(([{ cuts }, { parts }]) => cuts.length > 0 && parts > (subject.clocked ? 1 : whole.parts)),
    diedAndWentOn: plays.some(
      ([{ cuts }, { died, resumed }]) => cuts.length === 0 && died > 0 && (subject.clocked || resumed > 0),
    ),
    sliceSizes: new Set(
      plays.filter(([, { slices }]) => slices > whole.slices).map(([{ sliceRecords }]) => sliceRecords),
    ).size,
  }
}

/** Now and then a cut falls where nothing is, or a death behind the end: then another input is played too, of so many. */
const MOST_INPUTS = 5

async function keepsItsLaws(log: string, makeWorld: () => World, subject: Subject): Promise<void> {
  const makeMemory = WORLDS['memory'] ?? makeWorld
  const shown: (typeof DISTURBED)[] = []
  const law = fc.asyncProperty(subject.pieces, PLAN, async (piece, anyPlan) => {
    const plan = subject.ownTime ? { ...anyPlan, partitions: 1 } : anyPlan
    const { partitions } = plan
    const whole = await play(makeMemory, subject, piece, { ...UNDISTURBED, partitions })
    const plays: [Disturbance, Played][] = []
    for (const disturbance of disturbances(log, piece, plan)) {
      const played = await play(makeWorld, subject, piece, disturbance)
      expect(played.outcome).toEqual(whole.outcome)
      plays.push([disturbance, played])
    }
    shown.push(disturbed(subject, whole, plays))
  })
  for (let input = 0; input < MOST_INPUTS; input++) {
    await fc.assert(law, { seed: (seed ^ hashOf(subject.name)) + input, numRuns, unbiased: true })
    if (shown.some((one) => isDeepStrictEqual(one, DISTURBED))) break
  }
  expect(shown).toContainEqual(DISTURBED)
}

/** Another plan for each. */
function hashOf(name: string): number {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) | 0
  return hash
}

describe.each(Object.entries(WORLDS))('laws 1, 2 and 4 on the %s log', (log, makeWorld) => {
  it.each(SUBJECTS)('of $name', (subject) => keepsItsLaws(log, makeWorld, subject))
})

it.each(SUBJECTS.filter(({ clocked }) => clocked))('the clock makes a difference to $name', async (subject) => {
  const makeMemory = WORLDS['memory'] as () => World
  const differ: boolean[] = []
  for (const piece of fc.sample(subject.pieces, { seed, numRuns: 20 }) as Piece[]) {
    const moving = await play(makeMemory, subject, piece, UNDISTURBED)
    const standing = await play(makeMemory, { ...subject, clocked: false }, piece, UNDISTURBED)
    differ.push(!isDeepStrictEqual(moving.outcome.outputs, standing.outcome.outputs))
  }
  expect(differ).toContain(true)
})
