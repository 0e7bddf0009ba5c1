import { TidemarkError } from '../../core/errors.ts'
import type { DataLossPolicy } from '../../planner/data-loss-policy.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import type { RunRow } from '../../ports/history.ts'
import { executeRun } from '../execute-run.ts'
import { resumedRow, runningRow } from '../run-rows.ts'
import type { Session } from '../session.ts'
import { NEVER_STOP, type StopSignal } from '../stop-signal.ts'
import { changeStep } from './change-step.ts'
import { emptyStore } from './empty-store.ts'
import type { History } from './history.ts'
import type { HistoryStep, RangeStep } from './history-step.ts'
import { planOfStep } from './plan-of-step.ts'
import { stepsToReplay } from './steps-to-replay.ts'

export interface ReplayOptions {
  /** The token's number of the commit to come to; it has to be the end of a step. Default: the history's checkpoint. */
  readonly upTo?: number
  /** Where a generation stands in this history that has replayed nothing of it: behind the commit of this number. */
  readonly after?: number
  /** `none`: everything is one range. Default `kept`. */
  readonly cuts?: 'kept' | 'none'
  /** What to do where input that a step has read is no longer there. Default `fail`. */
  readonly onDataLoss?: DataLossPolicy
  /** A store that the job got later is empty until then, as it was; by default it is there from the start. */
  readonly storesAsTheyWere?: boolean
  readonly stop?: StopSignal
  /** Told of a step's row when it starts and after each committed slice. */
  readonly onProgress?: (run: RunRow, step: ReplayProgress) => void
  /** Told of each step that was done, with the row that it has in the session's own history. */
  readonly onStep?: (step: HistoryStep, run: RunRow | null) => void
}

export interface ReplayProgress {
  /** From 0. */
  readonly index: number
  readonly steps: number
}

export interface ReplayReport {
  /** Steps that were done now; one that a crash had cut short counts. */
  readonly steps: number
  readonly records: number
  /** Sentences for people: what could not be done as it had been. */
  readonly notices: readonly string[]
}

/**
 * Carries a session that publishes nothing from its place in the history of another generation (its beginning, where it is
 * empty) to a later commit of it: step by step, each an ordinary run with the recorded clock, and in the session's own
 * history. What is committed stands: after a crash, or a stop, the same call goes on. The session's job may be another
 * version. Throws INPUT_LOST and INPUT_REPLACED before anything is read where input is gone, STATE_INCOMPATIBLE where the
 * session does not stand in this history, and what runs throw.
 */
export async function replayHistory(
  session: Session,
  history: History,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const before = await finishStep(session, history, options)
  const { steps, notices, topicIds } = await stepsToReplay(session, history, options)
  let records = before?.records ?? 0
  let last: DoneStep | null = null
  for (const [index, step] of steps.entries()) {
    requireGoingOn(options.stop ?? NEVER_STOP)
    const row: RunRow | null = await doStep(session, history, { step, topicIds, last }, options, {
      index,
      steps: steps.length,
    })
    last = { step, row }
    records += row?.records ?? 0
    options.onStep?.(step, row)
  }
  return { steps: steps.length + (before === null ? 0 : 1), records, notices }
}

interface DoneStep {
  readonly step: HistoryStep
  readonly row: RunRow | null
}

interface NextStep {
  readonly step: HistoryStep
  readonly topicIds: Readonly<Record<string, string>>
  readonly last: DoneStep | null
}

async function doStep(
  session: Session,
  history: History,
  { step, topicIds, last }: NextStep,
  options: ReplayOptions,
  progress: ReplayProgress,
): Promise<RunRow | null> {
  const { env, loaded, generation } = session
  const runId = env.ids.uuid()
  if (step.kind !== 'range') {
    await changeStep(session, history, step, runId)
    return null
  }
  if (options.storesAsTheyWere === true) for (const store of step.addedStores) emptyStore(session, store)
  const plan = planOfStep(session, history, { step, topicIds })
  const startedAt = env.clock.now()
  const row = runningRow({ runId, loaded, generation: generation.name, trigger: 'replay', startedAt, plan })
  const request = runRequest(options, progress)
  return await executeRun({
    session,
    request,
    plan,
    row: goneOn(row, step, last),
    now: step.at,
    resumed: false,
    idle: false,
    follows: false,
  })
}

/** A run of several steps, as a stream is one, has digests over all of them. */
function goneOn(row: RunRow, step: RangeStep, last: DoneStep | null): RunRow {
  const isSame = last?.step.kind === 'range' && last.step.runId === step.runId
  const digests = isSame ? last.row?.digests : undefined
  return digests === undefined ? row : { ...row, digests }
}

/** Ends the step that was under way when the replay stopped. */
async function finishStep(session: Session, history: History, options: ReplayOptions): Promise<RunRow | null> {
  const { checkpoint, file, loaded, generation, env } = session
  if (checkpoint === null || checkpoint.unfinished === null) return null
  const { unfinished } = checkpoint
  const plan = parsePlan(unfinished.plan)
  if (plan.replays === undefined || plan.replays.generation !== history.generation) {
    throw new TidemarkError('STATE_INCOMPATIBLE', `${generation.name} is in the middle of run ${unfinished.runId}`, {
      hint: 'Let that run come to its end first.',
      at: { job: loaded.job.name },
    })
  }
  const { runId, now } = unfinished
  const startedAt = env.clock.now()
  const row =
    file.run(runId) ?? runningRow({ runId, loaded, generation: generation.name, trigger: 'replay', startedAt, plan })
  const resumed = resumedRow(row, unfinished, loaded, 'replay')
  const request = runRequest(options, { index: 0, steps: 1 })
  return await executeRun({ session, request, plan, row: resumed, now, resumed: true, idle: false, follows: false })
}

function runRequest({ stop = NEVER_STOP, onProgress }: ReplayOptions, progress: ReplayProgress) {
  return { trigger: 'replay', stop, onProgress: (run: RunRow) => onProgress?.(run, progress) }
}

function requireGoingOn({ asked, code }: StopSignal): void {
  if (asked === null) return
  throw new TidemarkError(code, 'the replay was stopped; the steps that were done stand', {
    hint: 'Say the same again: it goes on where it stopped.',
  })
}
