import type { Clock } from '../ports/clock.ts'

/** A clock that stands still until it is set. */
export class ManualClock implements Clock {
  #now: number

  /** `now` in epoch ms. */
  constructor(now = 0) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now
  }

  /** Sets the time, epoch ms. It may go back, as clocks do. */
  set(now: number): void {
    this.#now = now
  }

  advance(ms: number): void {
    this.#now += ms
  }

  yield(): Promise<void> {
    return Promise.resolve()
  }

  /** Time passes at once. */
  sleep(ms: number): Promise<void> {
    this.#now += ms
    return Promise.resolve()
  }
}
