import type { Plan } from '../../planner/plan-types.ts'
import type { HistoryEvent } from '../../ports/history.ts'
import type { LogWatch, PartitionPosition } from '../../ports/log.ts'
import { CutMerger } from '../history/cut-merger.ts'
import { planJob } from '../job-plan.ts'
import { planEvents } from '../plan-events.ts'
import { isClockDue, nextClockDue } from '../punctuation-times.ts'
import type { RunRequest } from '../run-request.ts'
import type { Session } from '../session.ts'
import { NEVER_STOP } from '../stop-signal.ts'
import { stopped } from '../stopped.ts'

/** How long records are waited for before topics and partitions are looked at again, ms. */
const LONGEST_WAIT_MS = 10_000
/** From one plan to the next, ms: so a busy log makes twenty cuts in a second, and not a thousand. */
const DEFAULT_EVERY_MS = 50

/** What an endless run does next. */
export interface NextPlan {
  readonly plan: Plan
  /** Its recorded clock, epoch ms. */
  readonly now: number
  /** To be committed with its first slice. */
  readonly events: readonly HistoryEvent[]
}

/**
 * Where the plans of an endless run come from: each takes what the log has at that moment. While there is nothing, it waits
 * for records, and keeps the lease.
 */
export class LogFollower {
  readonly #session: Session
  readonly #request: RunRequest
  readonly #watch: LogWatch
  readonly #merger: CutMerger
  #plannedAt: number
  #caughtUp = false

  constructor(session: Session, request: RunRequest) {
    const { env, loaded } = session
    this.#session = session
    this.#request = request
    this.#merger = new CutMerger(session)
    this.#watch = env.log.watch(loaded.job.settings.isolation)
    this.#plannedAt = env.clock.monotonic()
  }

  /**
   * The plan after `done`, whose end the session's checkpoint has reached. Throws INTERRUPTED or TERMINATED where the run is
   * asked to stop, and what planning and keeping the lease throw.
   */
  async next(done: Plan, runId: string): Promise<NextPlan> {
    const { clock } = this.#session.env
    const { stop = NEVER_STOP, everyMs = DEFAULT_EVERY_MS } = this.#request
    const pauseMs = this.#plannedAt + everyMs - clock.monotonic()
    await this.#merger.goOn()
    if (this.#caughtUp && pauseMs > 0) await clock.sleep(pauseMs, stop.signal)
    for (;;) {
      if (stop.asked !== null) throw stopped(stop)
      if (this.#caughtUp) await this.#watch.arrival(positionsOf(done), this.#waitMs(), stop.signal)
      if (stop.asked !== null) throw stopped(stop)
      const next = await this.#planned()
      if (next !== undefined) return next
      await this.#session.renewLease(runId)
      if (!this.#caughtUp) this.#request.onCaughtUp?.()
      this.#caughtUp = true
    }
  }

  close(): Promise<void> {
    return this.#watch.close()
  }

  async #planned(): Promise<NextPlan | undefined> {
    const { env, loaded, generation, checkpoint } = this.#session
    this.#plannedAt = env.clock.monotonic()
    const now = env.clock.now()
    const live = { kind: 'live', liveCheckpoint: null } as const
    const facts = { ...live, generation: generation.name, checkpoint, now }
    const request = { ...this.#request, acceptTopics: [] } // said of what was there when the run began
    const { plan, nothingToDo } = await planJob(env, loaded, request, facts)
    if (nothingToDo && !isClockDue(checkpoint?.punctuations ?? {}, now)) return undefined
    return { plan, now, events: planEvents(plan, now) }
  }

  /** Until topics, the lease or a punctuation by wall clock are to be looked at. */
  #waitMs(): number {
    const { env, checkpoint, leaseMs } = this.#session
    const dueMs = nextClockDue(checkpoint?.punctuations ?? {}) - env.clock.now()
    return Math.max(0, Math.min(LONGEST_WAIT_MS, leaseMs / 3, dueMs))
  }
}

function positionsOf({ partitions }: Plan): readonly PartitionPosition[] {
  return partitions.map(({ topic, partition, to }) => ({ topic, partition, offset: to }))
}
