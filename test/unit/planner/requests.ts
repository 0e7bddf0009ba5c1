import { makePlan } from '../../../src/planner/plan.ts'
import type { PlanRequest, PlanResult, PlanSource } from '../../../src/planner/plan-request.ts'
import type { Plan } from '../../../src/planner/plan-types.ts'
import type { LogFixture } from './log-fixture.ts'

export const NOW = Date.parse('2013-06-01T00:00:00Z')

/** Sources in the order of the topology; a name with a star is a table. */
export function sources(...names: readonly string[]): readonly PlanSource[] {
  return names.map((name, rank) => ({
    topic: name.replace('*', ''),
    role: name.startsWith('*') ? 'table' : 'stream',
    rank,
    recordTime: true,
  }))
}

/** A live run from the checkpoint to now over the stream `t`, with what a test changes of it. */
export function requestOn(fixture: LogFixture, changes: Partial<PlanRequest> = {}): PlanRequest {
  return {
    job: 'job',
    generation: 'g1',
    kind: 'live',
    sources: sources('t'),
    exchanges: [],
    checkpoint: null,
    liveCheckpoint: null,
    from: 'checkpoint',
    to: 'latest',
    start: 'earliest',
    isolation: 'read_committed',
    now: NOW,
    onDataLoss: 'fail',
    acceptTopics: [],
    closeWindows: false,
    advanceTime: false,
    maxFutureSkew: null,
    log: fixture.log,
    ...changes,
  }
}

export function planOn(fixture: LogFixture, changes: Partial<PlanRequest> = {}): Promise<PlanResult> {
  return makePlan(requestOn(fixture, changes))
}

/** The plan of an empty range generation. */
export function rangeOn(fixture: LogFixture, from: string, to: string, changes: Partial<PlanRequest> = {}) {
  return planOn(fixture, { kind: 'range', generation: 'range', from, to, ...changes })
}

/** The ranges of a plan, `topic/partition` to `[from, to]`. */
export function rangesOf({ partitions }: Plan): Readonly<Record<string, readonly [from: number, to: number]>> {
  return Object.fromEntries(partitions.map(({ topic, partition, from, to }) => [`${topic}/${partition}`, [from, to]]))
}

/** `count` timestamps from `first` on, one ms apart. */
export function times(count: number, first = 1000): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

/** The checkpoint that a run leaves which carries the plan out. */
export function checkpointAfter(fixture: LogFixture, { partitions }: Plan) {
  return fixture.checkpoint(
    Object.fromEntries(partitions.map(({ topic, partition, to }) => [`${topic}/${partition}`, to])),
  )
}
