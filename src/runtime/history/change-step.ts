import type { Checkpoint } from '../../core/checkpoint.ts'
import { type Change, commitChange } from '../commit-change.ts'
import type { Session } from '../session.ts'
import { isKeptStore } from '../switching/kept-store.ts'
import type { History } from './history.ts'
import type { MoveStep, ResetStep } from './history-step.ts'

/** Does again what was done to a generation by hand, as a commit of the session's own. */
export async function changeStep(
  session: Session,
  history: History,
  step: MoveStep | ResetStep,
  runId: string,
): Promise<void> {
  const { generation } = history
  const { seq, at, detail, kind } = step
  const replayed = { generation, seq, runUnderWay: null }
  const changed = step.kind === 'reset' ? afterReset(session, history, step) : afterMove(session, history, step)
  const change: Change = {
    checkpoint: { ...changed, unfinished: null, made: null, replayed },
    event: { kind, detail },
    at,
    drops: step.kind === 'reset' ? dropped(session, step) : [],
  }
  await commitChange(session, change, 'replay', runId)
}

/** What a reset removes. What a generation keeps of its outputs goes where the outputs went. */
function dropped({ file }: Session, { offsets, detail }: ResetStep): readonly string[] {
  if (offsets === null) return []
  const stores = file.stores().filter((store) => detail.outputs === true || !isKeptStore(store))
  return stores.map(({ name }) => name)
}

function afterMove({ checkpoint }: Session, history: History, { offsets }: MoveStep): Checkpoint {
  const before = checkpoint ?? empty(history)
  return { ...before, offsets: { ...before.offsets, ...offsets }, floors: {} }
}

function afterReset({ checkpoint }: Session, history: History, { offsets }: ResetStep): Checkpoint {
  const timeless = { streamTimes: {}, streamTimeBy: null, punctuations: {} }
  if (offsets === null) return { ...(checkpoint ?? empty(history)), ...timeless }
  return { ...empty(history), offsets }
}

/** The checkpoint of a generation that has read nothing. */
function empty({ checkpoint: { clusterId, topicIds, exchangePartitions } }: History): Checkpoint {
  return {
    version: 1,
    token: { seq: 0, id: '', parent: null },
    clusterId,
    offsets: {},
    floors: {},
    partitionTimes: {},
    streamTimes: {},
    streamTimeBy: null,
    topicIds,
    stores: {},
    storeSizes: {},
    exchangePartitions,
    punctuations: {},
    unfinished: null,
    made: null,
  }
}
