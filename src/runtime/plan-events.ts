import type { Plan } from '../planner/plan-types.ts'
import type { HistoryEvent } from '../ports/history.ts'

/** Changes of state that a plan itself makes, to be committed with its first slice. `now` is its recorded clock. */
export function planEvents(plan: Plan, now: number): readonly HistoryEvent[] {
  const event = (kind: HistoryEvent['kind'], detail: HistoryEvent['detail']): HistoryEvent => ({
    kind,
    seq: 0,
    runId: null,
    at: now,
    detail,
  })
  const accepted = plan.accepted.map((topic) => event('topic-accepted', { topic, id: plan.topicIds[topic] }))
  return [...plan.gaps.map((gap) => event('gap', { ...gap })), ...accepted]
}
