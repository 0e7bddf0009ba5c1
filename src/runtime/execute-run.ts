import { isTidemarkError } from '../core/errors.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { HistoryEvent, RunRow } from '../ports/history.ts'
import type { StateFile } from '../ports/state-file.ts'
import { Execution } from './execution.ts'
import { foldWal } from './fold-wal.ts'
import { asTidemarkError } from './foreign-error.ts'
import { forgetTopics } from './forget-topics.ts'
import { jobInputs } from './job-inputs.ts'
import { liveCheckpoint } from './live-checkpoint.ts'
import { ensureOutputTopics } from './output-topics.ts'
import type { RunRequest } from './run-request.ts'
import { failedRow, idleRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { NEVER_STOP } from './stop-signal.ts'
import { compareStores } from './store-changes.ts'
import { storeIdentities } from './topology-stores.ts'

export interface RunParts {
  readonly session: Session
  readonly request: RunRequest
  readonly plan: Plan
  readonly row: RunRow
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  readonly resumed: boolean
  /** Carrying the plan out would change nothing. */
  readonly idle: boolean
}

/** One run with its row in the history: written before it reads, and again however it ends. */
export async function executeRun(parts: RunParts): Promise<RunRow> {
  const { session, request, plan, now } = parts
  const { file, env, loaded } = session
  const { notices, events } = compareStores(storeIdentities(loaded.job.topology), file.stores(), now)
  const row = { ...parts.row, notices: [...parts.row.notices, ...notices] }
  if (parts.idle && events.length === 0) {
    const idle = idleRow(row, env.clock.now(), file.runs(1)[0])
    file.putRun(idle)
    return idle
  }
  file.putRun(row)
  request.onProgress?.(row)
  if (session.checkpoint !== null && !parts.resumed && plan.accepted.length > 0) {
    session.checkpoint = forgetTopics(session.checkpoint, plan.accepted)
  }
  let execution: Execution | undefined
  let done: RunRow
  try {
    const exchangePartitions = exchangePartitionsOf(session, plan)
    const partitionsOf =
      session.outside === null ? () => 1 : await ensureOutputTopics(env.log, loaded.job, exchangePartitions)
    execution = new Execution(
      session,
      {
        plan,
        now,
        resumed: parts.resumed,
        skips: request.skip ?? [],
        sources: jobInputs(loaded.job),
        partitionsOf,
        exchangePartitions,
        stop: request.stop ?? NEVER_STOP,
        events: parts.resumed ? events : [...events, ...planEvents(parts)],
        onSlice: (run) => request.onProgress?.(run),
      },
      row,
    )
    done = await execution.run()
  } catch (error) {
    const failure = asTidemarkError(error, loaded.job.name)
    const failed = failedRow(execution?.committed ?? row, failure, env.clock.now())
    putFailed(file, failed)
    request.onProgress?.(failed)
    throw failure
  }
  return foldWal(file, env.state.pathOf(loaded.job.name, session.generation.name), done)
}

/** Where the row cannot be written, the error that came first is the one to tell; the next start marks the run crashed. */
function putFailed(file: StateFile, failed: RunRow): void {
  try {
    file.putRun(failed)
  } catch (error) {
    if (!isTidemarkError(error)) throw error
  }
}

/** Fixed at the job's first run, and inherited by every generation: the largest number of partitions of a source. */
function exchangePartitionsOf(session: Session, plan: Plan): number {
  if (session.checkpoint !== null) return session.checkpoint.exchangePartitions
  const live = liveCheckpoint(session.env, session.loaded.job.name)?.checkpoint ?? null
  if (live !== null) return live.exchangePartitions
  return Math.max(1, ...plan.partitions.map(({ partition }) => partition + 1))
}

/** Changes of state that the plan itself makes, committed with the first slice. */
function planEvents({ session, plan, now }: RunParts): HistoryEvent[] {
  const event = (kind: HistoryEvent['kind'], detail: HistoryEvent['detail']): HistoryEvent => ({
    kind,
    seq: 0,
    runId: null,
    at: now,
    detail,
  })
  const accepted = plan.accepted.map((topic) => event('topic-accepted', { topic, id: plan.topicIds[topic] }))
  const init = session.begunAnew ? [event('init', {})] : []
  return [...init, ...plan.gaps.map((gap) => event('gap', { ...gap })), ...accepted]
}
