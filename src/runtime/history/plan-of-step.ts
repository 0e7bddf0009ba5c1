import { comparePlaces } from '../../planner/merge-order.ts'
import { hashPlan } from '../../planner/plan-hash.ts'
import type { Plan, PlannedPartition } from '../../planner/plan-types.ts'
import { jobInputs } from '../input/job-inputs.ts'
import type { Session } from '../session.ts'
import type { History } from './history.ts'
import type { RangeStep } from './history-step.ts'

/** A range to do again, and the ids of all topics that it may read. */
export interface ReplayStep {
  readonly step: RangeStep
  readonly topicIds: Readonly<Record<string, string>>
}

/** The plan that does a range again, as far as the session's job reads it. */
export function planOfStep(session: Session, history: History, { step, topicIds }: ReplayStep): Plan {
  const { job } = session.loaded
  const sources = jobInputs(job)
  const ranks = new Map(sources.map(({ topic }, rank) => [topic.name, rank]))
  const partitions = step.ranges.flatMap((range): PlannedPartition[] => {
    const rank = ranks.get(range.topic)
    if (rank === undefined) return []
    return [{ ...range, role: sources[rank]?.role ?? 'stream', rank, startedBy: 'history' }]
  })
  const reads = (topic: string) => ranks.has(topic)
  const { clusterId } = history.checkpoint
  const { seq, runId, whole, goesOn } = step
  const plan = {
    version: 1,
    job: job.name,
    generation: session.generation.name,
    asked: { from: 'checkpoint', to: 'checkpoint' },
    times: { from: null, to: null },
    isolation: job.settings.isolation,
    partitions: partitions.sort(comparePlaces),
    advanceTo: step.advanceTo,
    closeWindows: step.closeWindows,
    gaps: step.gaps.filter(({ topic }) => reads(topic)),
    accepted: step.accepted.filter(reads),
    topicIds: Object.fromEntries(Object.entries(topicIds).filter(([topic]) => reads(topic))),
    clusterId,
    heldBack: 0,
    notices: [],
    replays: { generation: history.generation, seq, runId, whole, goesOn, leftOut: leftOutAgain(session, step) },
  } as const
  return { ...plan, hash: hashPlan(plan) }
}

/**
 * What was asked to be left out stays out. A record on which user code failed is left out again by the same job file; another
 * one may be the mending of it, and decides anew.
 */
function leftOutAgain({ loaded }: Session, { jobHash, leftOut }: RangeStep): RangeStep['leftOut'] {
  return jobHash === loaded.hash ? leftOut : leftOut.filter(({ reason }) => reason === 'asked')
}
