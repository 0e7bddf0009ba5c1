import { TidemarkError } from '../core/errors.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { HistoryEvent, RunRow } from '../ports/history.ts'
import { Attempt } from './attempt.ts'
import type { Changelogs } from './changelogs.ts'
import { commitAttempt } from './commit-attempt.ts'
import { poisonCount } from './counts.ts'
import type { InputSource, RecordSkip } from './input-source.ts'
import type { Session } from './session.ts'
import type { SliceEnd } from './slice-feed.ts'
import type { StopSignal } from './stop-signal.ts'
import { userErrorSkip } from './user-error-skip.ts'

/** What the execution of one plan needs to know. */
export interface ExecutionRequest {
  readonly plan: Plan
  /** The run's recorded clock, epoch ms. */
  readonly now: number
  /** True where the run goes on with a plan that an earlier attempt did not finish: floors are kept. */
  readonly resumed: boolean
  /** Records to leave out because the user asked, `topic/partition@offset`. */
  readonly skips: readonly string[]
  readonly sources: readonly InputSource[]
  readonly partitionsOf: (topic: string) => number
  readonly exchangePartitions: number
  readonly changelogs: Changelogs | null
  readonly stop: StopSignal
  /** Events to commit with the first slice. */
  readonly events: readonly HistoryEvent[]
  /** Told after each committed slice. */
  readonly onSlice: (run: RunRow) => void
}

/** Executes one plan, slice by slice, from the session's checkpoint to the plan's end. */
export class Execution {
  readonly #session: Session
  readonly #request: ExecutionRequest
  readonly #skips: Map<string, RecordSkip>
  #run: RunRow
  #events: readonly HistoryEvent[]
  #resumed: boolean
  /** Ends the next slice early: right behind a record on which user code failed. */
  #nextSliceRecords: number | null = null

  constructor(session: Session, request: ExecutionRequest, run: RunRow) {
    this.#session = session
    this.#request = request
    this.#run = run
    this.#events = request.events
    this.#resumed = request.resumed
    this.#skips = new Map(request.skips.map((key) => [key, { reason: 'asked', action: 'skip', error: null }]))
  }

  /** The run as the last committed slice left it. */
  get committed(): RunRow {
    return this.#run
  }

  /** Gives the run's last row. Whatever it throws, all slices before are committed and the one under way left no trace. */
  async run(): Promise<RunRow> {
    await this.#session.claim(this.#run.runId)
    for (;;) {
      const attempt = new Attempt(this.#session, {
        ...this.#request,
        skips: this.#skips,
        poisoned: poisonCount(this.#run.steps),
      })
      try {
        await attempt.openPlan(this.#request.plan, this.#resumed)
        if (await this.#slices(attempt)) return this.#run
      } finally {
        await attempt.close()
      }
    }
  }

  /** True when the plan is done; false when a slice is to be tried again without a record on which user code failed. */
  async #slices(attempt: Attempt): Promise<boolean> {
    for (;;) {
      let end: SliceEnd
      try {
        end = await attempt.process(this.#nextSliceRecords ?? this.#session.loaded.job.settings.sliceRecords)
        if (this.#request.stop.asked === 'now') throw stopped(this.#request.stop)
        this.#nextSliceRecords = null
        await this.#commit(attempt, end)
      } catch (error) {
        attempt.giveUp()
        if (!this.#leaveOut(attempt, error)) throw error
        return false
      }
      if (end === 'end') return true
      if (end === 'stopped') throw stopped(this.#request.stop)
    }
  }

  async #commit(attempt: Attempt, end: SliceEnd): Promise<void> {
    const { plan, now } = this.#request
    const session = this.#session
    this.#run = await commitAttempt({ session, attempt, plan, now, run: this.#run, events: this.#events, end })
    this.#events = []
    this.#resumed = true
    this.#request.onSlice(this.#run)
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

function stopped(stop: StopSignal): TidemarkError {
  return new TidemarkError(stop.code, 'the run was stopped; what it had committed stands', {
    hint: 'Run the job again: it goes on where this run stopped.',
  })
}
