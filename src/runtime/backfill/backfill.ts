import { TidemarkError } from '../../core/errors.ts'
import { offsetsOf, partsDone, planOfPart } from '../../planner/backfill/backfill-part.ts'
import { settlePart } from '../../planner/backfill/settle-part.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import { canCarryOn } from '../../planner/unfinished-plan.ts'
import type { RunRow } from '../../ports/history.ts'
import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import type { Environment } from '../environment.ts'
import { executeRun } from '../execute-run.ts'
import { asTidemarkError } from '../foreign-error.ts'
import { rangeGeneration } from '../generations.ts'
import { Pace } from '../input/pace.ts'
import { liveName } from '../live-name.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { markCrashed } from '../mark-crashed.ts'
import { openSession } from '../open-session.ts'
import { readGeneration } from '../read-generation.ts'
import type { RunRequest } from '../run-request.ts'
import { resumedRow, runningRow } from '../run-rows.ts'
import type { Session } from '../session.ts'
import { NEVER_STOP } from '../stop-signal.ts'
import { stopped } from '../stopped.ts'
import { withSession } from '../with-session.ts'
import { backfillBounds, isFixed } from './backfill-bounds.ts'
import type { BackfillRequest, PlannedBackfill } from './backfill-request.ts'
import { measuredRate } from './measured-rate.ts'
import { planBackfill } from './plan-backfill.ts'
import { refuseOverlap } from './refuse-overlap.ts'
import { backfillAt, backfillEvent, type StoredBackfill, storedBackfill } from './stored-backfill.ts'

/** What a backfill came to. */
export interface BackfillOutcome {
  /** `covered`: there was nothing to do, since it was done before or nothing is missing. */
  readonly outcome: 'ran' | 'covered'
  readonly generation: string
  readonly parts: number
  /** The runs that were made now, one for each part that had records. */
  readonly runs: readonly RunRow[]
}

/** Runs a job over a stretch of history, part by part, in one generation of its own. */
export class Backfill {
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = env
  }

  /** What would be done. Nothing is written. */
  async plan(loaded: LoadedJob, request: BackfillRequest): Promise<PlannedBackfill> {
    return this.#planned(loaded, await this.#found(loaded, request), request)
  }

  /**
   * Does what is not done yet: the same request goes on where an earlier one ended. Throws TidemarkError; what was committed
   * stands. LOCKED where it is running, or another one over the same records.
   */
  async run(loaded: LoadedJob, request: BackfillRequest): Promise<BackfillOutcome> {
    try {
      const found = await this.#found(loaded, request)
      const { whole, parts, done } = found
      request.onPlan?.(this.#planned(loaded, found, request))
      const named = { generation: whole.generation, parts: parts.length }
      if (done === parts.length) return { outcome: 'covered', ...named, runs: [] }
      const jobFile = this.#env.state.jobFile(loaded.job.name)
      try {
        return { outcome: 'ran', ...named, runs: await this.#carryOut(loaded, request, jobFile, found) }
      } finally {
        jobFile.close()
      }
    } catch (error) {
      throw asTidemarkError(error, loaded.job.name)
    }
  }

  /** The backfill that the request goes on with, or a new one. Throws RANGE_COVERED_DIFFERENTLY. */
  async #found(loaded: LoadedJob, request: BackfillRequest): Promise<Found> {
    const { state, clock } = this.#env
    const { name } = loaded.job
    const bounds = backfillBounds(request)
    const { as, emit: published, replace } = request
    const jobFile = state.jobs().includes(name) ? state.jobFile(name) : undefined
    try {
      const known = replace ? [] : (jobFile?.generations() ?? [])
      for (const row of known) {
        if (row.bounds !== bounds || row.published !== published || (as !== undefined && row.name !== as)) continue
        const stored = backfillAt(state, name, row.name)
        if (stored === undefined) continue
        if (stored.done < stored.parts.length || isFixed(request)) return { ...stored, row, replaces: false }
        if (as !== undefined) throw doneBefore(as)
      }
      const now = clock.now()
      const made = await planBackfill(this.#env, loaded, request, now)
      const asked = { name: made.whole.generation, bounds, published, now, replace }
      const { row, replaces } = rangeGeneration(jobFile ?? { generations: () => [] }, loaded, asked)
      const before = replaces ? undefined : backfillAt(state, name, row.name)
      return { ...(before ?? { ...made, done: 0 }), row, replaces }
    } finally {
      jobFile?.close()
    }
  }

  #planned(loaded: LoadedJob, { whole, parts, done }: Found, request: BackfillRequest): PlannedBackfill {
    const offsets = offsetsOf(parts.slice(done))
    const measured = this.#measured(loaded.job.name)
    const asked = request.recordsPerSecond ?? Number.POSITIVE_INFINITY
    const perSecond = measured === null ? request.recordsPerSecond : Math.min(measured, asked)
    return {
      generation: whole.generation,
      parts: parts.map((part) => ({ to: part.to, offsets: offsetsOf([part]), ranges: part.ranges })),
      done,
      offsets,
      estimateMs: perSecond === null ? null : Math.round((offsets / perSecond) * 1000),
      notices: whole.notices,
    }
  }

  #measured(job: string): number | null {
    const { state } = this.#env
    const live = liveName(state, job)
    if (live === undefined) return null
    return readGeneration(state, job, live, (file) => measuredRate(file?.runs() ?? []))
  }

  async #carryOut(
    loaded: LoadedJob,
    request: BackfillRequest,
    jobFile: JobFile,
    found: Found,
  ): Promise<readonly RunRow[]> {
    const { row, replaces } = found
    const runId = this.#env.ids.uuid()
    const outsideKey = row.published ? row.name : null
    const session = await openSession(this.#env, loaded, jobFile, {
      ...{ generation: row, outsideKey, runId, startEmpty: replaces },
    })
    return await withSession(session, runId, async () => {
      markCrashed(session.file)
      const stored = storedBackfill(session.file) ?? this.#keep(session, found)
      refuseOverlap(this.#env, loaded.job.name, jobFile, { ...stored, generation: row.name })
      return await this.#parts(session, request, stored)
    })
  }

  #keep({ file }: Session, found: StoredBackfill): StoredBackfill {
    file.putEvents([backfillEvent(found, this.#env.clock.now())])
    return found
  }

  async #parts(session: Session, request: BackfillRequest, stored: StoredBackfill): Promise<readonly RunRow[]> {
    const { recordsPerSecond, stop = NEVER_STOP } = request
    const pace = recordsPerSecond === null ? {} : { pace: new Pace(this.#env.clock, recordsPerSecond) }
    const runs: RunRow[] = []
    const { parts } = stored
    for (;;) {
      const part = partsDone(parts, session.checkpoint?.offsets)
      if (part === parts.length) return runs
      if (stop.asked !== null) throw stopped(stop)
      const onProgress = (run: RunRow) => request.onProgress?.(run, part)
      const asked = { trigger: 'backfill', onDataLoss: request.onDataLoss, stop, onProgress, ...pace }
      runs.push((await this.#carryOn(session, asked)) ?? (await this.#begin(session, asked, stored, part)))
    }
  }

  /** Finishes the part that an earlier attempt left; undefined where there is none, or where what it needs is lost. */
  async #carryOn(session: Session, request: RunRequest): Promise<RunRow | undefined> {
    const { checkpoint, file, loaded } = session
    if (checkpoint === null || checkpoint.unfinished === null) return undefined
    const { unfinished } = checkpoint
    const plan = parsePlan(unfinished.plan)
    const { onDataLoss = 'fail' } = request
    if (!(await canCarryOn({ plan, checkpoint, onDataLoss, acceptTopics: [], log: this.#env.log }))) return undefined
    const before = file.run(unfinished.runId)
    if (before === undefined) throw new Error('the run of a plan has a row')
    const row = withChange(resumedRow(before, unfinished, loaded, request.trigger), session)
    const facts = { resumed: true, idle: false, follows: false }
    return await executeRun({ session, request, plan, row, now: unfinished.now, ...facts })
  }

  async #begin(session: Session, request: RunRequest, stored: StoredBackfill, index: number): Promise<RunRow> {
    const { loaded, checkpoint, generation } = session
    const part = stored.parts[index]
    if (part === undefined) throw new Error(`there is no part ${index}`)
    const { onDataLoss = 'fail' } = request
    const isFirst = checkpoint === null
    const plan = await settlePart(planOfPart(stored.whole, part, isFirst), {
      log: this.#env.log,
      checkpoint,
      onDataLoss,
    })
    const { clock, ids } = this.#env
    const now = clock.now()
    const { trigger } = request
    const begun = { runId: ids.uuid(), loaded, generation: generation.name, trigger, startedAt: now, plan }
    const row = withChange(runningRow(begun), session)
    return await executeRun({ session, request, plan, row, now, resumed: false, idle: false, follows: false })
  }
}

/** What parts before were made with is told where it is not the job file of now: their results are in one state. */
function withChange(row: RunRow, { file, loaded }: Session): RunRow {
  const before = file.runs(1)[0]
  if (before === undefined || before.jobHash === loaded.hash) return row
  const notice = `${loaded.path} is not what it was in the part before: start the backfill anew with --replace if results differ`
  return { ...row, notices: [...row.notices, notice] }
}

interface Found extends StoredBackfill {
  readonly done: number
  readonly row: GenerationRow
  /** What its generation has is to be dropped first. */
  readonly replaces: boolean
}

function doneBefore(name: string): TidemarkError {
  return new TidemarkError('RANGE_COVERED_DIFFERENTLY', `${name} is done, and its bounds mean other records now`, {
    hint: 'Give this backfill another name with --as, or drop what is there with --replace.',
  })
}
