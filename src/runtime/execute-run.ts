import { isTidemarkError } from '../core/errors.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { HistoryEvent, RunRow } from '../ports/history.ts'
import type { StateFile } from '../ports/state-file.ts'
import { openChangelogs } from './changelogs/changelogs.ts'
import { Execution, type ExecutionRequest } from './execution.ts'
import { foldWal } from './fold-wal.ts'
import { asTidemarkError } from './foreign-error.ts'
import { forgetTopics } from './forget-topics.ts'
import { givenUp } from './history/cut-event.ts'
import { exchangePartitionsOf } from './input/exchange-partitions.ts'
import { jobInputs } from './input/job-inputs.ts'
import { LogFollower } from './input/log-follower.ts'
import { readAhead } from './input/read-ahead.ts'
import { skipNotices } from './input/skip-notices.ts'
import { ensureOutputTopics } from './output-topics.ts'
import { planEvents } from './plan-events.ts'
import { isClockDue } from './punctuation-times.ts'
import type { RunRequest } from './run-request.ts'
import { failedRow, idleRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { NEVER_STOP } from './stop-signal.ts'
import { foundStores } from './stores/found-stores.ts'
import { compareStores, type StoreChanges } from './stores/store-changes.ts'
import { storeIdentities } from './stores/topology-stores.ts'

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
  /** The run has no end: it goes on with what comes. */
  readonly follows: boolean
}

/** One run with its row in the history: written before it reads, and again however it ends. */
export async function executeRun(parts: RunParts): Promise<RunRow> {
  const { session, request, plan } = parts
  const { file, env, loaded } = session
  const { skip: skips = [] } = request
  const follower = parts.follows ? new LogFollower(session, request) : null
  const steps: Executed = { row: parts.row }
  let done: RunRow
  try {
    const { notices, events } = storeChanges(parts)
    const row = withNotices(parts.row, notices)
    steps.row = row
    const isIdle = parts.idle && !isClockDue(session.checkpoint?.punctuations ?? {}, parts.now) && events.length === 0
    if (isIdle && follower === null) return putIdle(file, withNotices(row, skipNotices(skips, [])), env.clock.now())
    file.putRun(row)
    request.onProgress?.(row)
    if (session.checkpoint !== null && !parts.resumed && plan.accepted.length > 0) {
      session.checkpoint = forgetTopics(session.checkpoint, plan.accepted)
    }
    done = await executePlans({ ...parts, idle: isIdle, follower }, events, steps)
  } catch (error) {
    const failure = asTidemarkError(error, loaded.job.name)
    session.phases.stop()
    const row = asStored(file, steps.execution?.committed ?? steps.row)
    const failed = withPhases(session, failedRow(row, failure, env.clock.now()))
    putFailed(file, failed)
    request.onProgress?.(failed)
    throw failure
  } finally {
    await follower?.close()
  }
  const unmet = skipNotices(skips, session.checkpoint?.made?.leftOut ?? [])
  session.phases.stop()
  // How long the last slice took to arrive is only known now.
  done = withPhases(session, withNotices(done, unmet))
  file.putRun(done)
  return foldWal(file, env.state.pathOf(loaded.job.name, session.generation.name), done)
}

/** A slice that is committed here counts, although it has not arrived outside yet: the next start delivers it. */
function asStored(file: StateFile, known: RunRow): RunRow {
  try {
    const stored = file.run(known.runId)
    return stored !== undefined && stored.slices > known.slices ? stored : known
  } catch (error) {
    if (!isTidemarkError(error)) throw error
    return known // why the run has failed is the error to tell
  }
}

/** How far a run has come. */
interface Executed {
  row: RunRow
  execution?: Execution
}

interface PlanParts extends RunParts {
  readonly follower: LogFollower | null
}

/** The plan of a run; of an endless one the further plans too, where they need to be made ready for. */
async function executePlans(
  parts: PlanParts,
  storeEvents: readonly HistoryEvent[],
  executed: Executed,
): Promise<RunRow> {
  const { session } = parts
  const init = session.begunAnew ? [initEvent(parts.now)] : []
  const before = givenUp(session.checkpoint)
  let events = parts.resumed ? storeEvents : [...before, ...storeEvents, ...init, ...planEvents(parts.plan, parts.now)]
  let part = parts
  for (;;) {
    const reader = goesOn(part) || part.idle ? null : readAhead(session, part.plan)
    try {
      const execution = new Execution(session, { ...(await executionRequest(part, events)), reader }, executed.row)
      executed.execution = execution
      const row = await execution.run()
      const { next } = execution
      if (next === null) return row
      executed.row = row
      events = [...next.events]
      part = { ...part, plan: next.plan, now: next.now, resumed: false, idle: false }
    } finally {
      await reader?.close()
    }
  }
}

async function executionRequest(
  parts: PlanParts,
  events: readonly HistoryEvent[],
): Promise<Omit<ExecutionRequest, 'reader'>> {
  const { session, request, plan, now, idle, follower } = parts
  const { env, loaded, outside } = session
  const exchangePartitions = exchangePartitionsOf(session, plan)
  const tasks = Math.max(exchangePartitions, ...plan.partitions.map(({ partition }) => partition + 1))
  const partitionsOf = outside === null ? () => 1 : await ensureOutputTopics(env.log, loaded.job, exchangePartitions)
  return {
    plan,
    now,
    resumed: goesOn(parts),
    idle,
    follower,
    skips: request.skip ?? [],
    sources: jobInputs(loaded.job),
    partitionsOf,
    exchangePartitions,
    changelogs: await openChangelogs(env.log, session, tasks, parts.row.runId),
    pace: request.pace ?? null,
    stop: request.stop ?? NEVER_STOP,
    events,
    onSlice: (run) => request.onProgress?.(run),
  }
}

/** True where a part of the plan's ranges is processed. */
function goesOn({ plan, resumed }: RunParts): boolean {
  return resumed || plan.replays?.goesOn === true
}

function storeChanges({ session, now }: RunParts): StoreChanges {
  const { file, checkpoint, loaded } = session
  const wanted = storeIdentities(loaded.job.topology)
  return compareStores(wanted, foundStores(file, checkpoint), checkpoint !== null, now)
}

function withPhases({ phases }: Session, row: RunRow): RunRow {
  return { ...row, phases: phases.addedTo(row.phases) }
}

function withNotices(row: RunRow, notices: readonly string[]): RunRow {
  return { ...row, notices: [...new Set([...row.notices, ...notices])] }
}

function putIdle(file: StateFile, row: RunRow, finishedAt: number): RunRow {
  const idle = idleRow(row, finishedAt, lastCommitted(file))
  file.putRun(idle)
  return idle
}

/** The run that says how the generation stands: one without an end is not done when it is stopped. */
function lastCommitted(file: StateFile): RunRow | undefined {
  return file.runs(1).find(hasCommitted) ?? file.runs().find(hasCommitted)
}

function hasCommitted({ status, slices }: RunRow): boolean {
  return status === 'done' || slices > 0
}

/** Where the row cannot be written, the error that came first is the one to tell; the next start marks the run crashed. */
function putFailed(file: StateFile, failed: RunRow): void {
  try {
    file.putRun(failed)
  } catch (error) {
    if (!isTidemarkError(error)) throw error
  }
}

function initEvent(at: number): HistoryEvent {
  return { kind: 'init', seq: 0, runId: null, at, detail: {} }
}
