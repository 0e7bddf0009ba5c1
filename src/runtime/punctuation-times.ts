import type { PunctuationTime } from '../operators/punctuation.ts'

class SavedTime implements PunctuationTime {
  due: number
  order: number
  readonly #times: PunctuationTimes

  constructor(due: number, order: number, times: PunctuationTimes) {
    this.due = due
    this.order = order
    this.#times = times
  }

  set(due: number): void {
    this.due = due
    this.order = this.#times.nextOrder()
  }
}

/** Marks the number of a punctuation by wall clock in its key. */
const WALL_CLOCK = '@clock'

/**
 * When every punctuation fires next, as the checkpoint keeps it: by `step/number/task`, in the order in which they were
 * set. Those by wall clock have `@clock` behind their number.
 */
export class PunctuationTimes {
  readonly #times = new Map<string, SavedTime>()
  #order = 0

  constructor(times: Readonly<Record<string, number>>) {
    for (const [key, due] of Object.entries(times)) this.#times.set(key, new SavedTime(due, this.nextOrder(), this))
  }

  /** The time of a punctuation, at first `firstDue`. One object for good. */
  of(step: string, number: number, by: 'stream-time' | 'wall-clock', task: number, firstDue: number): PunctuationTime {
    const key = `${step}/${number}${by === 'wall-clock' ? WALL_CLOCK : ''}/${task}`
    let time = this.#times.get(key)
    if (time === undefined) {
      time = new SavedTime(firstDue, this.nextOrder(), this)
      this.#times.set(key, time)
    }
    return time
  }

  snapshot(): Record<string, number> {
    const times = [...this.#times].sort(([, one], [, other]) => one.order - other.order)
    return Object.fromEntries(times.map(([key, { due }]) => [key, due]))
  }

  nextOrder(): number {
    return this.#order++
  }
}

/** When the next punctuation by wall clock is due, epoch ms; Infinity where there is none. */
export function nextClockDue(times: Readonly<Record<string, number>>): number {
  let next = Number.POSITIVE_INFINITY
  for (const [key, due] of Object.entries(times)) {
    if (key.includes(`${WALL_CLOCK}/`) && due >= 0 && due < next) next = due
  }
  return next
}

/** True where a punctuation by wall clock is due at `now`: a run has something to do then, even without records. */
export function isClockDue(times: Readonly<Record<string, number>>, now: number): boolean {
  return nextClockDue(times) <= now
}
