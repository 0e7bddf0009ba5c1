import { TidemarkError } from '../../core/errors.ts'
import type { Session } from '../session.ts'
import { keepsOutputs } from '../switching/keeps-outputs.ts'
import type { History } from './history.ts'
import { restOf } from './history-reader.ts'
import type { HistoryStep } from './history-step.ts'
import { inputOfSteps } from './input-of-steps.ts'
import { mergedNotices } from './merged-notices.ts'
import { mergedSteps } from './merged-steps.ts'
import { withNewTopics } from './new-topics.ts'
import type { ReplayOptions } from './replay-history.ts'

/** What is left to do to bring a session to where it is asked to come. */
export interface StepsToReplay {
  readonly steps: readonly HistoryStep[]
  readonly notices: readonly string[]
  /** Of all topics that are read. */
  readonly topicIds: Readonly<Record<string, string>>
}

/** See `replayHistory`: what is left of the history for the session, with what of the input is there. */
export async function stepsToReplay(
  session: Session,
  history: History,
  options: Omit<ReplayOptions, 'stop' | 'onProgress' | 'onStep'>,
): Promise<StepsToReplay> {
  const place = placeOf(session, history, options.after)
  const upTo = options.upTo ?? history.checkpoint.token.seq
  const told = history.steps.filter(({ seq }) => seq > place.seq && seq <= upTo)
  requireEnd(history, upTo)
  const fresh = session.checkpoint === null ? fromLastReset(told, keepsOutputs(session)) : told
  const begun = goingOn(fresh, place, session)
  const { steps, topicIds, notices } = await withNewTopics(session, history, begun)
  const asked = options.cuts === 'none' ? mergedSteps(steps) : steps
  const found = await inputOfSteps(session, history, asked, options.onDataLoss ?? 'fail')
  return { steps: found.steps, notices: [...notices, ...mergedNotices(asked), ...found.notices], topicIds }
}

/** How many steps of a history a session has still to do. */
export function stepsBehind(session: Pick<Session, 'checkpoint' | 'generation'>, history: History): number {
  const { seq } = placeOf(session, history, undefined)
  return history.steps.filter((step) => step.seq > seq).length
}

interface Place {
  readonly seq: number
  readonly runUnderWay: string | null
}

function placeOf(
  { checkpoint, generation }: Pick<Session, 'checkpoint' | 'generation'>,
  history: History,
  after: number | undefined,
): Place {
  const replayed = checkpoint?.replayed
  if (checkpoint === null) return { seq: 0, runUnderWay: null }
  if (replayed?.generation === history.generation && replayed.seq >= (after ?? 0)) return replayed
  if (after !== undefined) return { seq: after, runUnderWay: null }
  throw new TidemarkError(
    'STATE_INCOMPATIBLE',
    `${generation.name} has state that does not come from the history of ${history.generation}`,
    { hint: 'Give what is replayed a generation of its own.' },
  )
}

function requireEnd({ steps, checkpoint }: History, upTo: number): void {
  if (upTo === checkpoint.token.seq || steps.some(({ seq }) => seq === upTo)) return
  throw new TidemarkError('USAGE', `commit ${upTo} is not the end of a step of the history`, {
    hint: 'A replay comes to where a run ended, or to the last commit.',
  })
}

/** Nothing that precedes a reset of the state is seen behind it, but what was published, where that is kept. */
function fromLastReset(steps: readonly HistoryStep[], keeps: boolean): readonly HistoryStep[] {
  const last = steps.findLastIndex(
    (step) => step.kind === 'reset' && step.offsets !== null && (!keeps || step.detail.outputs === true),
  )
  return steps.slice(Math.max(0, last))
}

/** Where the session is in the middle of a run's range, the first step is the rest of it. */
function goingOn(steps: readonly HistoryStep[], place: Place, { checkpoint }: Session): readonly HistoryStep[] {
  const [first, ...others] = steps
  if (first?.kind === 'range' && first.merged > 1 && checkpoint !== null) {
    // The session may stand at one of the cuts that are merged since.
    return [{ ...restOf(first, checkpoint.offsets), goesOn: first.goesOn }, ...others]
  }
  if (first?.kind !== 'range' || place.runUnderWay === null || first.runId !== place.runUnderWay) return steps
  return [restOf(first, checkpoint?.offsets ?? {}), ...others]
}
