import type { StreamTime } from '../../operators/operator.ts'
import type { StoreRows } from './store-view-rows.ts'

/** Where the greatest time ever put by a task is kept. */
export type Newest = (task: number) => StreamTime

/**
 * What is still seen of a store's rows: those with a time greater than the greatest ever put, by the task that wrote them and
 * by the task that looks, less the retention. Infinite where rows do not expire.
 */
export class Retention {
  readonly #ms: number
  /** Of the tasks that have come so far. */
  readonly #newest = new Map<number, StreamTime>()
  /** Per task, the time before which rows have been removed. */
  readonly #expired = new Map<number, number>()

  constructor(ms: number) {
    this.#ms = ms
  }

  /** The greatest time of a task that comes to the store. */
  meet(task: number, newest: Newest): StreamTime {
    const time = newest(task)
    this.#newest.set(task, time)
    return time
  }

  /** True where a task with this greatest time sees a row of `time`. */
  sees(time: number, newest: StreamTime): boolean {
    return time > newest.value - this.#ms
  }

  /** The first time that such a task sees, 0 or more. */
  firstSeen(newest: StreamTime): number {
    return Math.max(0, newest.value - this.#ms + 1)
  }

  /** True where the task that wrote a row sees it. */
  lives(time: number, task: number, newest: Newest): boolean {
    return this.sees(time, this.#newest.get(task) ?? this.meet(task, newest))
  }

  /** True where it is known that the task that wrote a row no longer sees it. */
  isGone(time: number, task: number): boolean {
    const writer = this.#newest.get(task)
    return writer !== undefined && !this.sees(time, writer)
  }

  /** Removes what no task sees any more, in a transaction that `begin` opens. To be called at the end of a slice. */
  expire(rows: StoreRows, begin: () => void): void {
    if (this.#ms === Number.POSITIVE_INFINITY) return
    for (const [task, newest] of this.#newest) {
      const before = this.firstSeen(newest)
      if (before <= (this.#expired.get(task) ?? 0)) continue
      begin()
      rows.expire(task, before)
      this.#expired.set(task, before)
    }
  }

  clear(): void {
    this.#expired.clear()
    this.#newest.clear()
  }
}
