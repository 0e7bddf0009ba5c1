import { hashPlan } from '../../../src/planner/plan-hash.ts'
import type { Plan } from '../../../src/planner/plan-types.ts'

/** A plan of two partitions, with what a test changes of it. */
export function planWith(changes: Partial<Plan> = {}): Plan {
  const plan = {
    version: 1,
    job: 'delays',
    generation: 'g1',
    asked: { from: 'checkpoint', to: 'latest' },
    times: { from: null, to: null },
    isolation: 'read_committed',
    partitions: [
      { topic: 'airlines', partition: 0, from: 0, to: 16, role: 'table', rank: 1, startedBy: 'log-start' },
      { topic: 'flights', partition: 0, from: 5, to: 8, role: 'stream', rank: 0, startedBy: 'checkpoint' },
    ],
    advanceTo: null,
    closeWindows: false,
    gaps: [],
    accepted: [],
    topicIds: { airlines: 'a', flights: 'f' },
    clusterId: 'c',
    heldBack: 0,
    notices: [],
    ...changes,
  } as const
  return { ...plan, hash: hashPlan(plan) }
}
