import type { RunRow } from '../../ports/history.ts'
import type { Environment } from '../environment.ts'
import { asTidemarkError } from '../foreign-error.ts'
import type { LoadedJob } from '../loaded-job.ts'
import type { StopSignal } from '../stop-signal.ts'
import { type StoreQuery, StoreReader } from '../stores/store-reader.ts'
import { readHistory } from './history.ts'
import { type ReplayProgress, replayHistory } from './replay-history.ts'
import { withScratch } from './scratch-session.ts'
import { type RowWrite, StoreWatcher } from './store-watcher.ts'
import { noHistory, upToRun } from './up-to-run.ts'

export interface ExplainRequest {
  readonly generation: string
  readonly store: string
  /** Rows that any of these asks for. */
  readonly queries: readonly StoreQuery[]
  /** A run id, or its beginning: what comes later is not replayed. */
  readonly run?: string
  /** The newest writes, at most so many. */
  readonly limit: number
  readonly stop?: StopSignal
  readonly onProgress?: (run: RunRow, progress: ReplayProgress) => void
}

/** A write with the run that made it. */
export interface ExplainedWrite extends RowWrite {
  readonly runId: string
}

export interface ExplainReport {
  readonly job: string
  readonly generation: string
  readonly store: string
  /** In the order in which they were made. */
  readonly writes: readonly ExplainedWrite[]
  /** Earlier ones that the limit leaves out. */
  readonly omitted: number
  readonly notices: readonly string[]
}

/**
 * Replays a generation from its start in one that is thrown away, and lists what was written to some rows of a store, with
 * the records that caused it. Nothing else is touched. Throws as `verifyJob` does, and USAGE for a store that the job has
 * not.
 */
export async function explainRows(
  env: Environment,
  loaded: LoadedJob,
  request: ExplainRequest,
): Promise<ExplainReport> {
  const { job } = loaded
  const { generation, store, run, stop, onProgress, limit } = request
  const file = env.state.open(job.name, generation, { create: false, readonly: true })
  try {
    const history = file === undefined ? undefined : readHistory(generation, file)
    if (file === undefined || history === undefined) throw noHistory(job.name)
    const upTo = run === undefined ? {} : { upTo: upToRun(file, history, run) }
    const reader = new StoreReader(file, job, store)
    const wanted = request.queries.map((query) => reader.matcher(query))
    const writes: ExplainedWrite[] = []
    let omitted = 0
    let untold: RowWrite[] = []
    const watcher = new StoreWatcher(store, reader, wanted, (write) => untold.push(write))
    const { notices } = await withScratch(env, loaded, 'explain', (session) => {
      session.watch = watcher
      return replayHistory(session, history, {
        ...upTo,
        ...(stop === undefined ? {} : { stop }),
        ...(onProgress === undefined ? {} : { onProgress }),
        storesAsTheyWere: true,
        onStep: (step) => {
          const runId = step.kind === 'range' ? step.rowId : ''
          writes.push(...untold.map((write) => ({ runId, ...write })))
          omitted += writes.splice(0, writes.length - limit).length
          untold = []
        },
      })
    })
    return { job: job.name, generation, store, writes, omitted, notices }
  } catch (error) {
    throw asTidemarkError(error, job.name)
  } finally {
    file?.close()
  }
}
