import type { Mark, StreamTime } from '../operators/operator.ts'
import type { Origin } from './processor-record.ts'

class TaskTime implements StreamTime {
  value: number
  readonly #times: TaskTimes

  constructor(value: number, times: TaskTimes) {
    this.value = value
    this.#times = times
  }

  advance(timestamp: number): boolean {
    if (timestamp <= this.value) return false
    this.value = timestamp
    this.#times.moved(timestamp)
    return true
  }
}

/** Every step's stream time in every task, as the checkpoint keeps them: by `step/task`. */
export class TaskTimes {
  readonly #times = new Map<string, TaskTime>()
  readonly #marks = new Map<string, Mark>()
  readonly #origin: Origin
  #greatest = -1
  #topic = ''
  #partition = -1
  #offset = -1

  /** `origin` says at any moment which input record is under way. */
  constructor(times: Readonly<Record<string, number>>, origin: Origin) {
    this.#origin = origin
    for (const [key, value] of Object.entries(times)) {
      this.#times.set(key, new TaskTime(value, this))
      if (value > this.#greatest) this.#greatest = value
    }
  }

  /** The time of a step in a task, -1 at first. One object for good. */
  of(step: string, task: number): StreamTime {
    const key = `${step}/${task}`
    let time = this.#times.get(key)
    if (time === undefined) {
      time = new TaskTime(-1, this)
      this.#times.set(key, time)
    }
    return time
  }

  /** A number of a step in a task, kept like the times; it counts for nobody's time. */
  mark(name: string, task: number): Mark {
    const key = `${name}/${task}`
    let mark = this.#marks.get(key)
    if (mark === undefined) {
      mark = { value: this.#times.get(key)?.value ?? -1 }
      this.#times.delete(key)
      this.#marks.set(key, mark)
    }
    return mark
  }

  /** Tasks in which the step has a time, in ascending order. */
  tasksOf(step: string): readonly number[] {
    const tasks: number[] = []
    for (const [key, { value }] of this.#times) {
      const slash = key.lastIndexOf('/')
      if (value >= 0 && key.slice(0, slash) === step) tasks.push(Number(key.slice(slash + 1)))
    }
    return tasks.sort((left, right) => left - right)
  }

  /** The times, without those that never moved. */
  snapshot(): Record<string, number> {
    const snapshot: Record<string, number> = {}
    for (const [key, { value }] of this.#times) if (value >= 0) snapshot[key] = value
    for (const [key, { value }] of this.#marks) if (value >= 0) snapshot[key] = value
    return snapshot
  }

  /** Where the record stood that moved the greatest time last, `topic[partition]@offset`; null where none has. */
  movedBy(): string | null {
    return this.#offset < 0 ? null : `${this.#topic}[${this.#partition}]@${this.#offset}`
  }

  moved(timestamp: number): void {
    if (timestamp <= this.#greatest) return
    this.#greatest = timestamp
    const { topic, partition, offset } = this.#origin
    if (offset < 0) return // a range's end moved it
    this.#topic = topic
    this.#partition = partition
    this.#offset = offset
  }
}
