import { MemoryStateDirectory } from '../../../../src/adapters/memory/state-directory.ts'
import { MemoryLocks } from '../../../../src/adapters/memory/state-locks.ts'
import { EXIT } from '../../../../src/core/error-codes.ts'
import type { Hook } from '../../../../src/core/hook.ts'
import type { LaunchedRun, RunEnd, RunOrder } from '../../../../src/ports/run-launcher.ts'
import type { SlotRow } from '../../../../src/ports/schedule-table.ts'
import type { LaneOutcome } from '../../../../src/scheduler/lane-outcome.ts'
import { runScheduler, type SchedulerOptions } from '../../../../src/scheduler/run-scheduler.ts'
import type { ScheduleEvent } from '../../../../src/scheduler/schedule-event.ts'
import type { ScheduledJob } from '../../../../src/scheduler/scheduled-job.ts'
import { ManualClock } from '../../../../src/testing/manual-clock.ts'
import { at, iso } from '../scheduled.ts'
import { VirtualAlarms } from './virtual-alarms.ts'

/** How a run goes, when it is let. */
export interface Script {
  /** How long it takes; for ever by default. */
  readonly takes?: number
  readonly end?: Partial<RunEnd>
  /** How long it takes to stop when it is asked to; 0 by default, null: it does not. */
  readonly stopsIn?: number | null
}

export const DONE = (minutes = 0): Script => ({ takes: minutes * 60_000 })

export function failed(status: number | null, code = 'BAD_DATA', takes = 0): Script {
  const problem = status === null ? 'killed by SIGKILL' : null
  const error = { code, message: `it is ${code}` }
  return { takes, end: { status, problem, report: status === null ? null : { error } } }
}

/** A machine on which schedulers run jobs: time, disk and locks, and runs that go as a test says. */
export class ScheduleWorld {
  readonly clock: ManualClock
  readonly alarms: VirtualAlarms
  readonly state = new MemoryStateDirectory()
  readonly locks = new MemoryLocks()
  /** Runs that were launched: `12:00 schedule`. */
  readonly launched: string[] = []
  readonly orders: RunOrder[] = []
  readonly events: ScheduleEvent[] = []
  readonly hooks: { readonly hook: Hook; readonly document: unknown }[] = []
  /** What the hooks do. */
  hook: () => Promise<void> = async () => undefined
  /** At most so many runs were under way at once. */
  mostAtOnce = 0
  #atOnce = 0
  readonly #scripts: Script[]
  #usual: Script = DONE()

  /** `scripts`: how the first runs go; those after are done at once, or as `usually` says. */
  constructor(time: string, ...scripts: Script[]) {
    this.clock = new ManualClock(at(time))
    this.alarms = new VirtualAlarms(this.clock)
    this.#scripts = scripts
  }

  usually(script: Script): this {
    this.#usual = script
    return this
  }

  /** Starts a scheduler. It goes on while time passes. */
  start(jobs: readonly ScheduledJob[] | ScheduledJob, options: Partial<SchedulerOptions> = {}): Scheduling {
    const stop = new AbortController()
    const gone = { yes: false }
    const { clock, alarms, state, locks } = this
    const env = {
      clock,
      alarms,
      state,
      locks,
      launcher: { launch: (order: RunOrder) => this.#launch(order) },
      hooks: {
        call: (hook: Hook, document: unknown) => {
          this.hooks.push({ hook, document })
          return this.hook()
        },
      },
    }
    const tell = (event: ScheduleEvent) => {
      if (!gone.yes) this.events.push(event)
    }
    const usual = { once: false, now: false, maxRuns: 10, stop: stop.signal, tell }
    const ended = runScheduler(env, 'name' in jobs ? [jobs] : jobs, { ...usual, ...options })
    return {
      ended,
      stop: () => stop.abort(),
      kill: () => {
        gone.yes = true
        alarms.clear()
        locks.crash()
      },
    }
  }

  /** Lets time pass up to a time of day. */
  async until(time: string): Promise<void> {
    await this.alarms.advanceTo(at(time))
  }

  /** The slots of a job, oldest first: `12:00 scheduled covered run-1`. */
  slots(job = 'copies'): readonly string[] {
    return this.rows(job).map(({ slot, cause, state, runId }) => `${iso(slot)} ${cause} ${state} ${runId ?? '-'}`)
  }

  rows(job = 'copies'): readonly SlotRow[] {
    return [...this.state.jobFile(job).schedule.slots()].reverse()
  }

  told(kind: ScheduleEvent['kind']): readonly ScheduleEvent[] {
    return this.events.filter((event) => event.kind === kind)
  }

  #launch(order: RunOrder): LaunchedRun {
    const runId = `run-${this.orders.push(order)}`
    const until = order.until === null ? '' : ` until ${iso(order.until)}${order.advanceTime ? ' advancing' : ''}`
    this.launched.push(`${iso(this.clock.now())} ${order.trigger}${until}`)
    const { takes = null, end = {}, stopsIn = 0 } = this.#scripts.shift() ?? this.#usual
    const startedAt = new Date(this.clock.now()).toISOString()
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce)
    let finish: (end: RunEnd) => void = () => undefined
    let over = false
    const ended = new Promise<RunEnd>((resolve) => {
      finish = (result) => {
        if (over) return
        over = true
        this.#atOnce--
        resolve(result)
      }
    })
    const report = { runId, attempt: 1, startedAt, ...end.report }
    const natural = { status: EXIT.ok, problem: null, ...end, report: end.status === null ? null : report }
    if (takes !== null) this.alarms.set(this.clock.now() + takes, () => finish(natural))
    const stopped = { status: EXIT.terminated, problem: null, report: { ...report, error: { code: 'TERMINATED' } } }
    return {
      ended,
      stop: () => {
        if (stopsIn !== null) this.alarms.set(this.clock.now() + stopsIn, () => finish(stopped))
      },
      kill: () => finish({ status: null, problem: 'killed by SIGKILL', report: null }),
    }
  }
}

export interface Scheduling {
  readonly ended: Promise<readonly LaneOutcome[]>
  /** As a signal does. */
  stop(): void
  /** As SIGKILL and a restart of the machine do: no run of it is left. */
  kill(): void
}
