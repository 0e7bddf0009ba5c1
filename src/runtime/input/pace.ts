import type { Clock } from '../../ports/clock.ts'

/** Slices are made so small that a pause is no longer than this, about. */
const LONGEST_PAUSE_MS = 250

/** Holds a run to so many records a second, over all that it is given to: between slices it rests. */
export class Pace {
  readonly #clock: Clock
  readonly #perSecond: number
  #dueAt: number

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#dueAt = clock.monotonic()
  }

  /** The records that a slice may have at most. */
  get sliceRecords(): number {
    return Math.max(1, Math.floor((this.#perSecond * LONGEST_PAUSE_MS) / 1000))
  }

  /** Rests for as long as `records` that were taken have earned. An aborted signal ends it. */
  async rest(records: number, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic()
    this.#dueAt = Math.max(this.#dueAt, now) + (records / this.#perSecond) * 1000
    await this.#clock.sleep(this.#dueAt - now, signal)
  }
}
