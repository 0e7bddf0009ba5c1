import type { TidemarkError } from '../core/errors.ts'
import type { Alarm } from '../ports/alarms.ts'
import type { Lock } from '../ports/lock.ts'
import type { JobFile } from '../ports/state-file.ts'
import { asTidemarkError } from './as-tidemark-error.ts'
import type { SlotDecision } from './due-slots.ts'
import type { LaneOptions } from './lane-options.ts'
import { type LaneOutcome, newOutcome } from './lane-outcome.ts'
import { RunMaker } from './run-maker.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import type { SchedulerEnvironment } from './scheduler-environment.ts'
import { SlotBook } from './slot-book.ts'

/** When what could not be read or written is tried again. */
const TROUBLE_MS = 10_000

/** One job under a scheduler: decides on its slots as they come, and has runs made for them, one at a time. */
export class JobLane {
  readonly #env: SchedulerEnvironment
  readonly #job: ScheduledJob
  readonly #options: LaneOptions
  readonly #held: { readonly lock: Lock; readonly file: JobFile }
  readonly #book: SlotBook
  readonly #runs: RunMaker
  readonly #finished: Promise<void>
  #finish: () => void = () => undefined
  #alarm: Alarm | null = null
  #last: SlotDecision | null = null
  #error: TidemarkError | null = null

  /** Takes the job: no other scheduler has it. Throws LOCKED where one does, STATE_*, IO_FAILED. */
  constructor(env: SchedulerEnvironment, job: ScheduledJob, options: LaneOptions) {
    this.#env = env
    this.#job = job
    this.#options = options
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    const lock = env.locks.acquire(job.name, 'its schedule')
    try {
      this.#held = { lock, file: env.state.jobFile(job.name) }
    } catch (error) {
      lock.release()
      throw error
    }
    this.#book = new SlotBook(this.#held.file.schedule, job)
    this.#runs = new RunMaker(env, job, this.#book, options)
  }

  /** Goes on until the scheduler ends, no slot comes any more, or, once, nothing is due. Never rejects. */
  async run(): Promise<LaneOutcome> {
    const { stop } = this.#options
    const stopped = () => this.#rest()
    stop.addEventListener('abort', stopped, { once: true })
    this.#guarded(() => {
      this.#book.takeOver(this.#env.clock.now())
      this.#tick()
    })
    await this.#finished
    stop.removeEventListener('abort', stopped)
    this.#alarm?.cancel()
    await this.#runs.hooksCalled()
    this.#held.file.close()
    this.#held.lock.release()
    const { next = null } = this.#last ?? {}
    const error = this.#error
    return {
      ...newOutcome(this.#job.name),
      ...this.#runs.outcome,
      next,
      ...(error ? { error, status: error.exit } : {}),
    }
  }

  /** Looks what has come. */
  #tick(): void {
    this.#alarm?.cancel()
    if (this.#options.stop.aborted) return
    const { clock, alarms } = this.#env
    const decision = this.#book.decide(clock.now(), this.#runs.running)
    if (this.#last === null) this.#ready(decision)
    this.#last = decision
    if (decision.nextAt !== null) this.#alarm = alarms.set(decision.nextAt, () => this.#guarded(() => this.#tick()))
    const { slots } = decision
    if (slots.length > 0) this.#options.tell({ kind: 'slots', job: this.#job.name, slots })
    if (this.#job.settings.overlap === 'cancel' && slots.some(({ state }) => state === 'due')) this.#runs.makeRoom()
    void this.#work()
  }

  #ready({ next, timetable }: SlotDecision): void {
    const { tell } = this.#options
    tell({ kind: 'ready', job: this.#job.name, next })
    // Behind a slot that was decided on there is a millisecond.
    if (timetable.decidedTo > this.#env.clock.now() + 1) {
      tell({ kind: 'clock-behind', job: this.#job.name, decidedTo: timetable.decidedTo })
    }
  }

  async #work(): Promise<void> {
    if (this.#runs.working) return
    try {
      await this.#runs.make()
    } catch (error) {
      this.#trouble(error)
    }
    this.#rest()
  }

  /** After work, and when the scheduler ends: is there anything left to wait for? */
  #rest(): void {
    if (this.#runs.working) return
    if (this.#options.stop.aborted || this.#error !== null || this.#nothingComes()) this.#finish()
  }

  #nothingComes(): boolean {
    if (this.#last === null) return false
    const { next, nextAt } = this.#last
    if (next === null || nextAt === null) return true
    const now = this.#env.clock.now()
    return this.#options.once && next > now && nextAt > now
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#trouble(error)
      this.#rest()
    }
  }

  /** What may pass is tried again later, if there is a later; anything else ends this job's schedule, and no other. */
  #trouble(thrown: unknown): void {
    const error = asTidemarkError(thrown)
    const againAt = error.retryable && !this.#options.once ? this.#env.clock.now() + TROUBLE_MS : null
    this.#options.tell({ kind: 'trouble', job: this.#job.name, error, againAt })
    this.#alarm?.cancel()
    if (againAt === null) this.#error = error
    else this.#alarm = this.#env.alarms.set(againAt, () => this.#guarded(() => this.#tick()))
  }
}
