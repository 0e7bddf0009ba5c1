import { setImmediate } from 'node:timers/promises'
import type { Alarm, Alarms } from '../../../../src/ports/alarms.ts'
import type { ManualClock } from '../../../../src/testing/manual-clock.ts'

interface SetAlarm {
  readonly at: number
  readonly ring: () => void
}

/** Alarms on a clock that is set by hand: time passes from one to the next. */
export class VirtualAlarms implements Alarms {
  readonly #clock: ManualClock
  #set: readonly SetAlarm[] = []
  /** How often somebody was woken. */
  rung = 0
  /** What has to be over before time may pass. */
  readonly busy = new Set<Promise<unknown>>()

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  set(at: number, ring: () => void): Alarm {
    const alarm = { at, ring }
    this.#set = [...this.#set, alarm].sort((left, right) => left.at - right.at)
    return { cancel: () => this.#remove(alarm) }
  }

  /** Lets time pass up to an instant, and what was waiting for it happen. */
  async advanceTo(instant: number): Promise<void> {
    for (;;) {
      await this.settled()
      const [next] = this.#set
      if (next === undefined || next.at > instant) break
      this.#remove(next)
      this.#clock.set(Math.max(this.#clock.now(), next.at))
      this.rung++
      next.ring()
    }
    this.#clock.set(instant)
  }

  /** Whatever can happen without time passing has happened. */
  async settled(): Promise<void> {
    do {
      await Promise.all(this.busy)
      await setImmediate()
    } while (this.busy.size > 0)
  }

  /** The process that set them is gone. */
  clear(): void {
    this.#set = []
  }

  #remove(alarm: SetAlarm): void {
    this.#set = this.#set.filter((each) => each !== alarm)
  }
}
