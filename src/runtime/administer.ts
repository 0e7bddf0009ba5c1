import { type Checkpoint, encodeCheckpoint } from '../core/checkpoint.ts'
import type { HistoryEvent } from '../ports/history.ts'
import { commitSlice } from './commit.ts'
import type { Environment } from './environment.ts'
import { asTidemarkError } from './foreign-error.ts'
import { liveGeneration } from './generations.ts'
import type { LoadedJob } from './loaded-job.ts'
import { openSession } from './open-session.ts'
import { runningRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { nextToken } from './slice-record.ts'
import { withSession } from './with-session.ts'

/** A change of a live generation that is not a run. */
export interface Change {
  /** The checkpoint as it is to be; its token is made anew. */
  readonly checkpoint: Checkpoint
  readonly event: Pick<HistoryEvent, 'kind' | 'detail'>
  /** Stores whose rows are removed. */
  readonly drops: readonly string[]
}

/**
 * Carries out a change of the live generation as a commit of its own: under its lock, with a token, a row in the history
 * and a commit record outside. `make` sees the session once it agrees with the outside; null changes nothing.
 */
export async function administer<T extends Change>(
  env: Environment,
  loaded: LoadedJob,
  trigger: string,
  make: (session: Session) => Promise<T | null>,
): Promise<T | null> {
  const { name } = loaded.job
  const jobFile = env.state.jobFile(name)
  const runId = env.ids.uuid()
  try {
    const generation = liveGeneration(jobFile, loaded, env.clock.now())
    const session = await openSession(env, loaded, jobFile, { generation, outsideKey: 'live', runId })
    return await withSession(session, runId, async () => {
      const change = await make(session)
      if (change !== null) await commitChange(session, change, trigger, runId)
      return change
    })
  } catch (error) {
    throw asTidemarkError(error, name)
  } finally {
    jobFile.close()
  }
}

async function commitChange(session: Session, change: Change, trigger: string, runId: string): Promise<void> {
  const { env, file, outside, loaded, generation } = session
  await session.claim(runId)
  // A restore gets to what the run had committed, although the run is given up here.
  if (session.checkpoint !== null && session.checkpoint.unfinished !== null) await session.keepCut(runId)
  const now = env.clock.now()
  const token = nextToken(session.parent, env.ids.uuid())
  const checkpoint = { ...change.checkpoint, generation: generation.name, token }
  const bytes = encodeCheckpoint(checkpoint)
  const row = runningRow({ runId, loaded, generation: generation.name, trigger, startedAt: now, plan: null })
  const slice = {
    checkpoint: { token, bytes },
    outbox: { token, endsRun: true, batches: [] },
    run: { ...row, status: 'done', finishedAt: now, durationMs: 0 },
    events: [{ ...change.event, seq: token.seq, runId, at: now }],
  } as const
  const write = () => {
    for (const store of change.drops) file.dropStore(store)
    return slice
  }
  const delivery = session.delivery(runId, true, true)
  await commitSlice({ file, outside, steps: env.steps, batches: [], write, delivery })
  session.committed(checkpoint, delivery)
}
