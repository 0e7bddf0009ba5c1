import type { UnfinishedRun } from '../core/checkpoint.ts'
import { EXIT } from '../core/error-codes.ts'
import { TidemarkError } from '../core/errors.ts'
import { formatBound } from '../planner/bound.ts'
import { parseBound } from '../planner/parse-bound.ts'
import { parsePlan } from '../planner/parse-plan.ts'
import type { PlanResult } from '../planner/plan-request.ts'
import type { Plan } from '../planner/plan-types.ts'
import { rangeBounds } from '../planner/range-bounds.ts'
import { canCarryOn } from '../planner/unfinished-plan.ts'
import type { RunRow } from '../ports/history.ts'
import type { GenerationRow, JobFile } from '../ports/state-file.ts'
import type { Environment } from './environment.ts'
import { executeRun } from './execute-run.ts'
import { asTidemarkError } from './foreign-error.ts'
import { FIRST_GENERATION, liveGeneration, rangeGeneration } from './generations.ts'
import { sweepScratch } from './history/scratch-session.ts'
import { askedSkips } from './input/asked-skips.ts'
import { planJob } from './job-plan.ts'
import { liveCheckpoint } from './live-checkpoint.ts'
import type { LoadedJob } from './loaded-job.ts'
import { markCrashed } from './mark-crashed.ts'
import { openSession } from './open-session.ts'
import type { RunRequest } from './run-request.ts'
import { failedRow, resumedRow, runningRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { settledPlan } from './settled-plan.ts'
import { withSession } from './with-session.ts'

/** What a request came to. */
export interface RunOutcome {
  /** `covered`: a range of that name and those bounds was done before, and nothing was read. */
  readonly outcome: 'ran' | 'covered'
  /** The runs that were made, in order: a plan that an earlier attempt left unfinished, then the request's own. */
  readonly runs: readonly RunRow[]
}

/** Runs jobs over bounded ranges: the one code path behind every command that processes records. */
export class Runner {
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** The plan that `run` would carry out. Nothing is written. */
  plan(loaded: LoadedJob, request: RunRequest): Promise<Plan> {
    return this.#planAt(loaded, request, this.#env.clock.now())
  }

  async #planAt(loaded: LoadedJob, request: RunRequest, now: number): Promise<Plan> {
    requireRange(request)
    const live = liveCheckpoint(this.#env, loaded.job.name)
    const range = request.from !== undefined
    const facts = {
      generation: range ? (request.as ?? null) : (live?.generation ?? FIRST_GENERATION),
      kind: range ? 'range' : 'live',
      checkpoint: range ? null : (live?.checkpoint ?? null),
      liveCheckpoint: live?.checkpoint ?? null,
      now,
    } as const
    return (await planJob(this.#env, loaded, request, facts)).plan
  }

  /**
   * Runs a job from its checkpoint, or a range of its own. Throws TidemarkError; the error of a run that had begun is in
   * its row too, and what the run had committed stands.
   */
  async run(loaded: LoadedJob, asked: RunRequest): Promise<RunOutcome> {
    try {
      const request = { ...asked, skip: askedSkips(loaded, asked.skip ?? []) }
      const jobFile = this.#env.state.jobFile(loaded.job.name)
      try {
        return await this.#run(loaded, request, jobFile)
      } finally {
        jobFile.close()
      }
    } catch (error) {
      throw asTidemarkError(error, loaded.job.name)
    }
  }

  async #run(loaded: LoadedJob, request: RunRequest, jobFile: JobFile): Promise<RunOutcome> {
    const runId = this.#env.ids.uuid()
    const askedAt = this.#env.clock.now()
    sweepScratch(this.#env, loaded.job.name)
    const { row, replaces } = await this.#generation(loaded, request, jobFile, askedAt)
    const live = row.role === 'live'
    const session = await openSession(this.#env, loaded, jobFile, {
      generation: row,
      outsideKey: live ? 'live' : row.published ? row.name : null,
      init: request.init ?? false,
      takeOver: request.takeOver ?? false,
      startEmpty: replaces,
      ...(request.onRestore === undefined ? {} : { onRestore: request.onRestore }),
      runId,
    })
    return await withSession(session, runId, async () => {
      markCrashed(session.file)
      session.file.pruneRuns(loaded.job.settings.keepRuns)
      if (!live && session.checkpoint !== null && session.checkpoint.unfinished === null) {
        return { outcome: 'covered', runs: session.file.runs(1) }
      }
      return { outcome: 'ran', runs: await this.#runs(session, request, runId, askedAt) }
    })
  }

  async #generation(loaded: LoadedJob, request: RunRequest, jobFile: JobFile, now: number): Promise<RangeChoice> {
    requireRange(request)
    if (request.from === undefined) return { row: liveGeneration(jobFile, loaded, now), replaces: false }
    const plan = await this.#planAt(loaded, request, now)
    const { emit = false, replace = false } = request
    const range = { name: plan.generation, bounds: rangeBounds(plan), published: emit, now, replace }
    return rangeGeneration(jobFile, loaded, range)
  }

  /** Finishes the plan that an earlier attempt left, then makes the request's own, unless it asks for the same. */
  async #runs(session: Session, request: RunRequest, runId: string, askedAt: number): Promise<readonly RunRow[]> {
    const runs: RunRow[] = []
    const unfinished = await this.#carriedOn(session, request)
    if (unfinished !== null) {
      const plan = unfinished.parsed
      const before = session.file.run(unfinished.runId)
      const row = before ?? this.#newRow(session, request, unfinished.runId, plan)
      const resumed = resumedRow(row, unfinished, session.loaded, request.trigger)
      runs.push(
        await executeRun({
          ...{ session, request, plan, row: resumed, now: unfinished.now },
          ...{ resumed: true, idle: false, follows: false },
        }),
      )
      if (session.generation.role === 'range') return runs
      if (unfinished.endless !== true && asksTheSame(plan, request)) return runs
    }
    // A range is named after what its durations meant when it was asked for: its plan is made for the same moment.
    const now = session.generation.role === 'range' ? askedAt : this.#env.clock.now()
    const { plan, nothingToDo } = await this.#plan(session, request, runId, now)
    const row = this.#newRow(session, request, runId, plan)
    const follows = request.endless ?? false
    runs.push(await executeRun({ session, request, plan, row, now, resumed: false, idle: nothingToDo, follows }))
    return runs
  }

  /** The plan that an earlier attempt left, or null where there is none or the request gives up what it still needs. */
  async #carriedOn(
    { checkpoint }: Session,
    request: RunRequest,
  ): Promise<(UnfinishedRun & { readonly parsed: Plan }) | null> {
    if (checkpoint === null || checkpoint.unfinished === null) return null
    const plan = parsePlan(checkpoint.unfinished.plan)
    const { onDataLoss = 'fail', acceptTopics = [] } = request
    const goesOn = await canCarryOn({ plan, checkpoint, onDataLoss, acceptTopics, log: this.#env.log })
    return goesOn ? { ...checkpoint.unfinished, parsed: plan } : null
  }

  /** A plan that cannot be made leaves a failed run in the history, unless the request itself was wrong. */
  async #plan(session: Session, request: RunRequest, runId: string, now: number): Promise<PlanResult> {
    const { loaded, generation, checkpoint } = session
    const live = generation.role === 'live' ? null : liveCheckpoint(this.#env, loaded.job.name)
    try {
      const kind = generation.role === 'live' ? 'live' : 'range'
      const facts = { generation: generation.name, kind, checkpoint, now } as const
      const all = { ...facts, liveCheckpoint: live?.checkpoint ?? null }
      return await session.phases.during('plan', () => settledPlan(this.#env, loaded, request, all))
    } catch (error) {
      const failure = asTidemarkError(error, loaded.job.name)
      if (failure.exit !== EXIT.usage) {
        const failed = failedRow(this.#newRow(session, request, runId, null), failure, this.#env.clock.now())
        session.file.putRun(failed)
        request.onProgress?.(failed)
      }
      throw failure
    }
  }

  #newRow({ loaded, generation }: Session, request: RunRequest, runId: string, plan: Plan | null): RunRow {
    const startedAt = this.#env.clock.now()
    return runningRow({ runId, loaded, generation: generation.name, trigger: request.trigger, startedAt, plan })
  }
}

interface RangeChoice {
  readonly row: GenerationRow
  /** What the generation has is to be dropped first. */
  readonly replaces: boolean
}

/** What is only said of a range is not said of the live generation. */
function requireRange({ from, to, as, replace = false, endless = false }: RunRequest): void {
  if (endless && (from ?? to) !== undefined) {
    throw new TidemarkError('USAGE', 'a run without an end has no bounds', {
      hint: 'Give bounds to a run, or to a backfill.',
    })
  }
  if (from !== undefined || (as === undefined && !replace)) return
  const option = as === undefined ? '--replace drops what a range has' : '--as names a range'
  throw new TidemarkError('USAGE', `${option}, and a range has a start`, {
    hint: 'Say where the range starts with --from.',
  })
}

/** True where the plan did all that the request asks for. */
function asksTheSame(plan: Plan, request: RunRequest): boolean {
  const { to = 'latest', closeWindows = false, advanceTime = false, endless = false } = request
  if (endless) return false
  if (closeWindows && !plan.closeWindows) return false
  if (advanceTime && plan.advanceTo === null) return false
  return plan.asked.to === formatBound(parseBound(to, '--to'))
}
