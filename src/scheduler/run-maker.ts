import { EXIT } from '../core/error-codes.ts'
import type { Hook } from '../core/hook.ts'
import { asTidemarkError } from './as-tidemark-error.ts'
import { type AttemptEnd, attemptRun } from './attempt-run.ts'
import { backoffMs } from './backoff.ts'
import { hookDocument, whyItFailed } from './hook-document.ts'
import type { LaneOptions } from './lane-options.ts'
import type { LaneOutcome } from './lane-outcome.ts'
import { type RunVerdict, runVerdict } from './run-verdict.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import type { SchedulerEnvironment } from './scheduler-environment.ts'
import type { SlotBook } from './slot-book.ts'
import type { SlotOrder } from './slot-order.ts'
import { waitUntil } from './wait-until.ts'

type Counted = Pick<LaneOutcome, 'done' | 'failed' | 'status' | 'report'>

/** What follows an attempt: another one after so many ms, a run for what else is due, or nothing for now. */
type Sequel = { readonly againMs: number } | 'next' | 'none'

/** Has runs of one job made, one at a time, as long as any are due: tries again what may pass, and says how each ended. */
export class RunMaker {
  readonly #env: SchedulerEnvironment
  readonly #job: ScheduledJob
  readonly #book: SlotBook
  readonly #options: LaneOptions
  readonly #hooks = new Set<Promise<void>>()
  #outcome: Counted = { done: 0, failed: 0, status: EXIT.ok, report: null }
  /** A person wants a run, and has not got it. */
  #asked: boolean
  #working = false
  /** Of the run under way: aborted, it stops for a newer slot. */
  #newerSlot: AbortController | null = null

  constructor(env: SchedulerEnvironment, job: ScheduledJob, book: SlotBook, options: LaneOptions) {
    this.#env = env
    this.#job = job
    this.#book = book
    this.#options = options
    this.#asked = options.now
  }

  get outcome(): Counted {
    return this.#outcome
  }

  /** Runs are being made, waited for, or waited with. */
  get working(): boolean {
    return this.#working
  }

  /** A run is under way. */
  get running(): boolean {
    return this.#newerSlot !== null
  }

  /** The run under way stops at the end of its slice. */
  makeRoom(): void {
    this.#newerSlot?.abort()
  }

  /** Makes the runs that are due. Does nothing while it is at it already. Throws what job.db throws. */
  async make(): Promise<void> {
    if (this.#working) return
    this.#working = true
    try {
      await this.#makeAll()
    } finally {
      this.#working = false
    }
  }

  async hooksCalled(): Promise<void> {
    await Promise.all(this.#hooks)
  }

  async #makeAll(): Promise<void> {
    const { places, stop } = this.#options
    for (let attempt = 1; this.#order() !== null; ) {
      const giveBack = await places.take(stop)
      if (giveBack === null) return
      const sequel = await this.#attempt(attempt).finally(giveBack)
      if (sequel === 'none') return
      attempt = sequel === 'next' ? 1 : attempt + 1
      if (sequel !== 'next') await waitUntil(this.#env.alarms, this.#env.clock.now() + sequel.againMs, stop)
    }
  }

  #order(): SlotOrder | null {
    return this.#book.order(this.#env.clock.now(), this.#asked)
  }

  async #attempt(attempt: number): Promise<Sequel> {
    const order = this.#order()
    if (order === null) return 'none'
    const { name } = this.#job
    const { tell, stop } = this.#options
    this.#newerSlot = new AbortController()
    tell({ kind: 'started', job: name, order, attempt })
    const signals = { stop, newerSlot: this.#newerSlot.signal }
    const ended = await attemptRun(this.#env, this.#job, order, signals).finally(() => {
      this.#newerSlot = null
    })
    const verdict = runVerdict(ended.end, ended.asked)
    const againMs = verdict === 'again' || verdict === 'busy' ? backoffMs(this.#job.settings.retry, attempt) : null
    const againAt = againMs === null ? null : this.#env.clock.now() + againMs
    this.#outcome = { ...this.#outcome, report: ended.end.report }
    tell({ kind: 'ended', job: name, attempt, verdict, ended, againAt })
    return againMs === null ? this.#conclude(order, verdict, ended, attempt) : { againMs }
  }

  #conclude(order: SlotOrder, verdict: RunVerdict, ended: AttemptEnd, attempts: number): Sequel {
    const { onSuccess, onFailure } = this.#job.settings
    const { done, failed } = this.#outcome
    if (verdict === 'stopped' && ended.asked === 'newer-slot') return 'next'
    this.#asked = false
    switch (verdict) {
      case 'done':
        this.#book.cover(order, ended.end.report)
        this.#outcome = { ...this.#outcome, done: done + 1 }
        this.#call(onSuccess, hookDocument('success', this.#job, order, ended, attempts))
        return 'next'
      case 'busy':
        this.#book.leave(order)
        this.#note(EXIT.tryAgain)
        return 'next'
      case 'stopped':
        this.#note(ended.end.status ?? EXIT.terminated)
        return 'none'
      default:
        this.#outcome = { ...this.#outcome, failed: failed + 1 }
        this.#note(ended.end.status ?? EXIT.userCode)
        this.#fail(order, ended)
        this.#call(onFailure, hookDocument('failure', this.#job, order, ended, attempts))
        return 'next'
    }
  }

  #fail(order: SlotOrder, ended: AttemptEnd): void {
    const { report } = ended.end
    const { paused } = this.#book.fail(order, report, this.#env.clock.now(), whyItFailed(ended))
    if (paused !== null) this.#options.tell({ kind: 'paused', job: this.#job.name, reason: paused })
  }

  #note(status: number): void {
    if (this.#outcome.status === EXIT.ok) this.#outcome = { ...this.#outcome, status }
  }

  #call(hook: Hook | null, document: Readonly<Record<string, unknown>>): void {
    if (hook === null) return
    const { tell } = this.#options
    const called = this.#env.hooks
      .call(hook, document)
      .catch((thrown: unknown) => tell({ kind: 'hook-failed', job: this.#job.name, error: asTidemarkError(thrown) }))
      .finally(() => this.#hooks.delete(called))
    this.#hooks.add(called)
  }
}
