import { type Checkpoint, encodeCheckpoint } from '../core/checkpoint.ts'
import type { HistoryEvent } from '../ports/history.ts'
import { commitSlice } from './commit.ts'
import { givenUp } from './history/cut-event.ts'
import { nextToken } from './input/slice-record.ts'
import { runningRow } from './run-rows.ts'
import type { Session } from './session.ts'

/** A change of a generation that is not a run. */
export interface Change {
  /** The checkpoint as it is to be; its token is made anew. */
  readonly checkpoint: Checkpoint
  readonly event: Pick<HistoryEvent, 'kind' | 'detail'>
  /** The recorded clock of the event, epoch ms. Default: now. */
  readonly at?: number
  /** Stores whose rows are removed. */
  readonly drops: readonly string[]
}

/**
 * Commits a change of a session's generation with a token, a row in the history and a commit record outside. A run that was
 * in the middle of its range is given up by it.
 */
export async function commitChange(session: Session, change: Change, trigger: string, runId: string): Promise<void> {
  const { env, file, outside, loaded, generation } = session
  await session.claim(runId)
  // A restore gets to what the run had committed, although the run is given up here.
  if (session.checkpoint !== null && session.checkpoint.unfinished !== null) await session.keepCut(runId)
  const now = env.clock.now()
  const token = nextToken(session.parent, env.ids.uuid())
  const checkpoint = { ...change.checkpoint, generation: generation.name, token }
  const bytes = encodeCheckpoint(checkpoint)
  const row = runningRow({ runId, loaded, generation: generation.name, trigger, startedAt: now, plan: null })
  const event = { ...change.event, seq: token.seq, runId, at: change.at ?? now }
  const slice = {
    checkpoint: { token, bytes },
    outbox: { token, endsRun: true, batches: [] },
    run: { ...row, status: 'done', finishedAt: now, durationMs: 0 },
    events: [...givenUp(session.checkpoint), event],
  } as const
  const write = () => {
    for (const store of change.drops) file.dropStore(store)
    return slice
  }
  const delivery = session.delivery(runId, true, true)
  await commitSlice({ file, outside, steps: env.steps, batches: [], write, delivery })
  session.committed(checkpoint, delivery)
}
