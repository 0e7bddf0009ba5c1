import { jobInputs } from '../../../src/runtime/input/job-inputs.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { type Death, mortal } from './mortal.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { fillTopics, type Piece, pieceJob, recordsOf, type Settings, type Subject } from './subject.ts'
import type { World } from './worlds.ts'

/** What happens to a piece while it is played. */
export interface Disturbance extends Settings {
  readonly partitions: number
  /** Where it is cut, as parts of its input from 0 to 1. */
  readonly cuts: readonly number[]
  readonly batchRecords: number
  readonly deaths: readonly Death[]
}

/** What came of a play, and what shows that it was disturbed. */
export interface Played {
  readonly outcome: Outcome
  /** Runs that have read records. */
  readonly parts: number
  readonly slices: number
  readonly died: number
  /** Runs that went on where a process had died. */
  readonly resumed: number
}

/** One start: up to where, and whether the clock has moved before it. */
interface Start {
  readonly to: string | undefined
  readonly clockMoves: boolean
}

/** How far the clock moves between the runs of what looks at it, ms. */
export const CLOCK_STEP = 60_000

/** Plays a piece in a new world, and gives what came of it. */
export async function play(
  makeWorld: () => World,
  subject: Subject,
  piece: Piece,
  disturbance: Disturbance,
): Promise<Played> {
  const world = makeWorld()
  try {
    const job = pieceJob(piece, disturbance)
    await fillTopics(world.process().log, job, piece, disturbance.partitions, disturbance.batchRecords)
    const deaths = [...disturbance.deaths]
    let died = 0
    for (const { to, clockMoves } of startsOf(subject, piece, disturbance)) {
      if (clockMoves) world.clock.advance(CLOCK_STEP)
      for (;;) {
        const { env, died: isDead } = mortal(world.process(), deaths[0] ?? null)
        await new Runner(env)
          .run({ job, path: 'law.ts', hash: 'hash' }, { trigger: 'test', ...(to === undefined ? {} : { to }) })
          .catch((error: unknown) => {
            if (!isDead()) throw error
          })
        if (!isDead()) break
        died++
        deaths.shift()
        world.crash()
      }
    }
    const { outcome, runs } = await outcomeOf(world.process(), job)
    return {
      outcome,
      parts: runs.filter(({ records }) => records > 0).length,
      slices: runs.reduce((sum, { slices }) => sum + slices, 0),
      died,
      resumed: runs.filter(({ attempt, slices }) => attempt > 1 && slices > 0).length,
    }
  } finally {
    await world.end()
  }
}

/**
 * The runs of a play. What punctuates by wall clock has three of its own, which every play of it has: a punctuation fires at
 * the end of the first run whose clock has reached it. Cuts come before the clock moves, so that they make none due; of several
 * tasks all before it first moves, since the time of one begins with the run that brings its first record.
 */
function startsOf({ ownTime, clocked }: Subject, piece: Piece, { partitions, cuts }: Disturbance): readonly Start[] {
  const inputs = jobInputs(pieceJob(piece, PLAIN))
  if (ownTime || (partitions === 1 && !clocked && inputs.length === 1)) {
    const { length } = piece.records.filter(({ topic }) => topic === inputs[0]?.topic.name)
    const ends = sorted(cuts.map((cut) => 1 + Math.floor(cut * (length - 2))))
    return [...ends.map((end) => ({ to: String(end), clockMoves: false })), LAST]
  }
  const times = cutTimes(piece, partitions)
  const at = (part: number) => times[Math.floor(part * (times.length - 1))] ?? 0
  const to = (part: number, clockMoves: boolean): Start => ({ to: `@${at(part)}`, clockMoves })
  const plain = sorted(cuts)
  if (!clocked) return [...plain.map((cut) => to(cut, false)), LAST]
  const between = (from: number, end: number) =>
    plain.filter((cut) => cut >= from && cut < end).map((cut) => to(cut, false))
  const inTheMiddle =
    partitions === 1 && cuts.length > 0 ? [...between(0.3, 0.5), to(0.5, false), ...between(0.5, 0.7)] : []
  return [
    ...between(0, 0.3),
    to(0.3, false),
    ...inTheMiddle,
    to(0.7, true),
    ...(partitions === 1 ? between(0.7, 1) : []),
    { to: undefined, clockMoves: true },
  ]
}

const PLAIN: Settings = { sliceRecords: 1000, cacheEntries: 1000 }
const LAST: Start = { to: undefined, clockMoves: false }

/** Times, in order, at which a partition has records before and a record behind: those of records that are its latest yet. */
function cutTimes(piece: Piece, partitions: number): readonly number[] {
  const times = new Set<number>()
  for (const { topic } of jobInputs(pieceJob(piece, PLAIN))) {
    for (const records of recordsOf(piece, topic.name, partitions)) {
      let latest = records[0]?.timestamp ?? 0
      for (const { timestamp } of records) {
        if (timestamp > latest) times.add(timestamp)
        latest = Math.max(latest, timestamp)
      }
    }
  }
  return sorted([...times])
}

function sorted(numbers: readonly number[]): readonly number[] {
  return [...numbers].sort((one, other) => one - other)
}
