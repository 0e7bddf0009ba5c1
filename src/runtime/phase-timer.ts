import type { Clock } from '../ports/clock.ts'
import type { RunPhases } from '../ports/history.ts'
import type { CommitStep, StepObserver } from '../ports/steps.ts'

type Phase = keyof RunPhases

/** Which phase begins with a step; with the last one of a slice none does. */
function phaseOf(step: CommitStep): Phase | null {
  if (step === 'process') return 'process'
  if (step.startsWith('store-')) return 'store'
  return step === 'delivered' ? null : 'deliver'
}

/** Measures how long the phases of a run take, from the steps that it enters. */
export class PhaseTimer implements StepObserver {
  readonly #steps: StepObserver
  readonly #clock: Clock
  #spent = nothing()
  #phase: Phase | null = null
  #since = 0

  /** `steps` is told of every step too. */
  constructor(steps: StepObserver, clock: Clock) {
    this.#steps = steps
    this.#clock = clock
  }

  enter(step: CommitStep): void {
    this.#begin(phaseOf(step))
    this.#steps.enter(step)
  }

  /** Does `work` as that phase. */
  async during<T>(phase: Phase, work: () => Promise<T>): Promise<T> {
    this.#begin(phase)
    try {
      return await work()
    } finally {
      this.#begin(null)
    }
  }

  /** What `before` says and what was spent since the last call, ms; the phase under way goes on. */
  addedTo(before: RunPhases = nothing()): RunPhases {
    this.#begin(this.#phase)
    const spent = this.#spent
    this.#spent = nothing()
    return {
      plan: before.plan + spent.plan,
      restore: before.restore + spent.restore,
      process: before.process + spent.process,
      store: before.store + spent.store,
      deliver: before.deliver + spent.deliver,
    }
  }

  /** No phase is under way any more. */
  stop(): void {
    this.#begin(null)
  }

  #begin(phase: Phase | null): void {
    const now = this.#clock.monotonic()
    if (this.#phase !== null) this.#spent[this.#phase] += now - this.#since
    this.#phase = phase
    this.#since = now
  }
}

function nothing(): { -readonly [Name in Phase]: number } {
  return { plan: 0, restore: 0, process: 0, store: 0, deliver: 0 }
}
