import { canonicalJson } from '../planner/canonical-json.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { HistoryEvent, RunRow } from '../ports/history.ts'
import type { LogReader } from '../ports/log.ts'
import { Attempt } from './attempt.ts'
import type { Changelogs } from './changelogs/changelogs.ts'
import { commitAttempt } from './commit-attempt.ts'
import { poisonCount } from './counts.ts'
import { HOUR_MS } from './history/merged-cuts.ts'
import { recordedSkip } from './history/recorded-skip.ts'
import type { InputSource, RecordSkip } from './input/input-source.ts'
import type { LogFollower, NextPlan } from './input/log-follower.ts'
import type { Pace } from './input/pace.ts'
import type { SliceEnd } from './input/slice-feed.ts'
import { userErrorSkip } from './input/user-error-skip.ts'
import type { Session } from './session.ts'
import type { StopSignal } from './stop-signal.ts'
import { stopped } from './stopped.ts'

/** A slice of an endless run ends after about this long: what it has made is not held back for more. */
const ENDLESS_SLICE_MS = 200

/** What the execution of one plan needs to know. */
export interface ExecutionRequest {
  readonly plan: Plan
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  /** True where a part of the plan is done: floors are kept. */
  readonly resumed: boolean
  /** Reads the plan's ranges from their beginnings already; null where the run goes on within them. */
  readonly reader: LogReader | null
  /** Records to leave out because the user asked, `topic/partition@offset`. */
  readonly skips: readonly string[]
  readonly sources: readonly InputSource[]
  readonly partitionsOf: (topic: string) => number
  readonly exchangePartitions: number
  readonly changelogs: Changelogs | null
  /** Null where the run may be as fast as it can. */
  readonly pace: Pace | null
  readonly stop: StopSignal
  /** Events to commit with the first slice. */
  readonly events: readonly HistoryEvent[]
  /** Where an endless run has its further plans from; null for a run that ends with its plan. */
  readonly follower: LogFollower | null
  /** The plan has nothing to do: an endless run waits for its next one at once. */
  readonly idle: boolean
  /** Told after each committed slice. */
  readonly onSlice: (run: RunRow) => void
}

/** Executes one plan, or those of an endless run one after the other, slice by slice, from the session's checkpoint on. */
export class Execution {
  readonly #session: Session
  readonly #request: ExecutionRequest
  readonly #skips: Map<string, RecordSkip>
  #plan: Plan
  #now: number
  #run: RunRow
  #events: readonly HistoryEvent[]
  #resumed: boolean
  /** Taken by the first attempt. */
  #reader: LogReader | null
  /** Ends the next slice early: right behind a record on which user code failed. */
  #nextSliceRecords: number | null = null
  /** What the run's row says beside the notices of its plan. */
  readonly #ownNotices: readonly string[]
  #next: NextPlan | null = null
  /** What was skipped in earlier hours of an endless run, and counts no more. */
  #poisonedBefore: number

  constructor(session: Session, request: ExecutionRequest, run: RunRow) {
    this.#session = session
    this.#request = request
    this.#plan = request.plan
    this.#now = request.now
    this.#run = run
    this.#ownNotices = run.notices.filter((notice) => !request.plan.notices.includes(notice))
    this.#events = request.events
    this.#poisonedBefore = request.follower === null ? 0 : poisonCount(run.steps)
    const { replays } = request.plan
    this.#resumed = request.resumed
    this.#reader = request.reader
    this.#skips = new Map(request.skips.map((key) => [key, { reason: 'asked', action: 'skip', error: null }]))
    for (const record of replays?.leftOut ?? []) this.#skips.set(...recordedSkip(record))
  }

  /** The run as the last committed slice left it. */
  get committed(): RunRow {
    return this.#run
  }

  /** The plan that an endless run goes on with in another execution, since it has partitions that were not there before. */
  get next(): NextPlan | null {
    return this.#next
  }

  /**
   * Gives the run's last row. Whatever it throws, all slices before are committed and the one under way left no trace. An
   * endless run ends with an error, or where its next plan is for another execution: see `next`.
   */
  async run(): Promise<RunRow> {
    await this.#session.claim(this.#run.runId)
    if (this.#request.idle && !(await this.#follow())) return this.#run
    for (;;) {
      const attempt = new Attempt(this.#session, {
        ...this.#request,
        now: this.#now,
        skips: this.#skips,
        poisoned: this.#poisoned(),
        countedOver: this.#request.follower === null ? 'run' : 'hour',
        ...(this.#run.digests === undefined ? {} : { digests: this.#run.digests }),
      })
      try {
        await attempt.openPlan(this.#plan, this.#resumed, this.#now, this.#reader)
        this.#reader = null
        if (await this.#plans(attempt)) return this.#run
      } finally {
        await attempt.close()
      }
    }
  }

  /** True when all plans are done; false when a slice is to be tried again without a record on which user code failed. */
  async #plans(attempt: Attempt): Promise<boolean> {
    for (;;) {
      if (!(await this.#slices(attempt))) return false
      if (!(await this.#follow())) return true
      attempt.poisoned = this.#poisoned()
      await attempt.openPlan(this.#plan, false, this.#now)
    }
  }

  /** Takes over the next plan of an endless run. False where there is none for this execution. */
  async #follow(): Promise<boolean> {
    const next = await this.#request.follower?.next(this.#plan, this.#run.runId)
    if (next === undefined) return false
    const { plan, now, events } = next
    const { heldBack } = plan
    if (hourOf(now) !== hourOf(this.#now)) this.#poisonedBefore = poisonCount(this.#run.steps)
    const notices = [...this.#ownNotices, ...plan.notices]
    this.#run = { ...this.#run, plan: canonicalJson(plan), planHash: plan.hash, heldBack, notices }
    if (plan.partitions.some(({ startedBy }) => startedBy !== 'checkpoint')) {
      this.#next = next
      return false
    }
    this.#plan = plan
    this.#reader = null
    this.#now = now
    this.#events = events
    this.#resumed = false
    for (const [key, { reason }] of this.#skips) if (reason === 'user-error') this.#skips.delete(key) // of plans before
    return true
  }

  /** Records that count for `maxSkipped`. */
  #poisoned(): number {
    return poisonCount(this.#run.steps) - this.#poisonedBefore
  }

  /** True when the plan is done; false when a slice is to be tried again without a record on which user code failed. */
  async #slices(attempt: Attempt): Promise<boolean> {
    const { follower } = this.#request
    for (;;) {
      let end: SliceEnd
      try {
        end = await attempt.process(this.#sliceRecords(), true, follower === null ? undefined : ENDLESS_SLICE_MS)
        if (this.#request.stop.asked === 'now') throw stopped(this.#request.stop)
        this.#nextSliceRecords = null
        await this.#commit(attempt, end)
      } catch (error) {
        await attempt.giveUp()
        if (!this.#leaveOut(attempt, error)) throw error
        return false
      }
      if (end === 'end') return true
      if (end === 'stopped') throw stopped(this.#request.stop)
    }
  }

  #sliceRecords(): number {
    const { sliceRecords } = this.#session.loaded.job.settings
    return this.#nextSliceRecords ?? Math.min(sliceRecords, this.#request.pace?.sliceRecords ?? sliceRecords)
  }

  async #commit(attempt: Attempt, end: SliceEnd): Promise<void> {
    const facts = { session: this.#session, attempt, plan: this.#plan, now: this.#now, run: this.#run }
    const endless = this.#request.follower !== null
    const before = this.#run.records
    this.#run = await commitAttempt({ ...facts, events: this.#events, end, endless })
    this.#events = []
    this.#resumed = true
    this.#request.onSlice(this.#run)
    await this.#request.pace?.rest(this.#run.records - before, this.#request.stop.signal)
  }

  /** Where user code failed on a record and the job says so, the slice is done again without that record. */
  #leaveOut(attempt: Attempt, error: unknown): boolean {
    const leftOut = userErrorSkip(attempt, error, this.#session.loaded.job.settings.onUserError)
    if (leftOut === undefined || this.#skips.has(leftOut[0])) return false
    this.#skips.set(...leftOut)
    this.#nextSliceRecords = attempt.taken + 1
    return true
  }
}

/** Of a recorded clock: the hours by which cuts are merged. */
function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS)
}
