import { TidemarkError } from '../../core/errors.ts'
import type { Headers } from '../../core/headers.ts'
import type { ForwardedRecord } from '../../topology/processor/context.ts'
import { given } from '../given.ts'
import type { Step } from '../step.ts'

/** What a processor works on at the moment. */
export class InHand {
  /** True within `process` and punctuations: then records may be sent on. */
  isBusy = false
  key: unknown = null
  /** A record is in hand, not a punctuation. */
  isRecord = false
  timestamp = -1
  readonly #node: number
  readonly #step: Step

  constructor(node: number, step: Step) {
    this.#node = node
    this.#step = step
  }

  /** User code is about to work on a record, or where `isRecord` is false on a punctuation. */
  begin(key: unknown, isRecord: boolean, timestamp: number): void {
    this.key = key
    this.isRecord = isRecord
    this.timestamp = timestamp
    this.isBusy = true
    this.#step.context.running.step = this.#node
  }

  /** The user code is done, and gave this back: nothing, unless it is a promise. */
  end(result: unknown): void {
    if (result instanceof Promise) given(result, this.isRecord ? 'the processor' : 'the punctuation')
    this.#step.context.running.step = -1
    this.isBusy = false
  }

  /** Sends a record on, under its own key or, where `keepsKey`, under that in hand. */
  forward(record: Partial<ForwardedRecord<unknown, unknown>>, keepsKey: boolean): void {
    if (!this.isBusy) throw misused('a record was forwarded outside of process and punctuations')
    if (keepsKey && !this.isRecord) throw misused('a punctuation of processValues has no key to forward under')
    const { timestamp = this.timestamp, headers } = record
    if (!Number.isSafeInteger(timestamp) || timestamp < 0)
      throw misused(`a record was forwarded with the time ${timestamp}`)
    const key = keepsKey ? this.key : given(record.key, 'the processor (key)')
    this.#send(key, given(record.value, 'the processor (value)'), timestamp, headers)
  }

  #send(key: unknown, value: unknown, timestamp: number, headers: Headers | undefined): void {
    const { context, forward } = this.#step
    const { record, running } = context
    const before = record.headers
    if (headers !== undefined) record.headers = headers
    running.step = -1
    forward(key, value, undefined, timestamp)
    running.step = this.#node
    record.headers = before
  }
}

function misused(message: string): TidemarkError {
  return new TidemarkError('USER_CODE_FAILED', message, {
    hint: 'Forward while a record is processed or a punctuation fires, with a whole number of milliseconds, 0 or more.',
  })
}
