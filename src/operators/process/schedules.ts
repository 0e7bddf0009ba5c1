import { type Duration, durationMs } from '../../core/duration.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { Cancellable } from '../../topology/processor/context.ts'
import type { StreamTime, TaskContext } from '../operator.ts'
import type { Punctuation } from '../punctuation.ts'
import type { InHand } from './in-hand.ts'

/** The punctuations of a processor, which it schedules while it is made. */
export class Schedules {
  readonly punctuations: Punctuation[] = []
  readonly #step: string
  readonly #context: TaskContext
  readonly #streamTime: StreamTime
  readonly #inHand: InHand
  #isClosed = false

  constructor(step: string, context: TaskContext, streamTime: StreamTime, inHand: InHand) {
    this.#step = step
    this.#context = context
    this.#streamTime = streamTime
    this.#inHand = inHand
  }

  /** The processor is made. */
  close(): void {
    this.#isClosed = true
  }

  readonly schedule = (every: Duration, by: Punctuation['by'], punctuate: (time: number) => void): Cancellable => {
    const everyMs = durationMs(every, 'every')
    if (this.#isClosed) throw this.#refused('schedules a punctuation while it processes')
    if (everyMs <= 0) throw this.#refused('schedules a punctuation without an interval')
    const { now } = this.#context
    const firstDue = by === 'stream-time' ? 0 : now + everyMs
    const time = this.#context.punctuation(this.#step, this.punctuations.length, by, firstDue)
    const fire = (at: number) => {
      this.#inHand.begin(null, false, at)
      this.#inHand.end(punctuate(at))
    }
    this.punctuations.push({ time, everyMs, by, streamTime: this.#streamTime, fire })
    return { cancel: () => time.set(-1) }
  }

  #refused(what: string): TidemarkError {
    return new TidemarkError('USER_CODE_FAILED', `${this.#step} ${what}`, {
      hint: 'Schedule while the processor is made, before it returns its function: later runs have to find it again.',
    })
  }
}
