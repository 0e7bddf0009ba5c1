import type { Duration } from '../../core/duration.ts'
import type { Headers } from '../../core/headers.ts'

/** A record as a processor gets it. */
export interface ProcessedRecord<K, V> {
  readonly key: K
  readonly value: V
  /** Event time, epoch ms. */
  readonly timestamp: number
  readonly headers: Headers
}

/** A record that a processor sends on: with the time and the headers of the one it works on, unless it says otherwise. */
export interface ForwardedRecord<K, V> {
  readonly key: K
  readonly value: V
  /** Epoch ms, 0 or more. In a punctuation without one: the punctuation's time. */
  readonly timestamp?: number
  readonly headers?: Headers
}

/** Sends a record on. The steps below have done with it when this returns. Works within `process` and punctuations. */
export type Forward<K, V> = (record: ForwardedRecord<K, V>) => void

/** Sends a record on under the key of the one that is worked on. */
export type ForwardValue<V> = (record: Omit<ForwardedRecord<never, V>, 'key'>) => void

export interface Cancellable {
  /** It fires no more, in later runs neither. */
  cancel(): void
}

/** What a processor may use of the task that it runs in. */
export interface ProcessorContext<Stores> {
  /** The stores that were declared, by name. */
  readonly stores: Stores
  /** Number of the task. */
  readonly task: number
  /** Where the record that is worked on was read; null in punctuations. */
  origin(): { readonly topic: string; readonly partition: number; readonly offset: number } | null
  /** The greatest event time of a record that has come to this task, epoch ms; -1 before the first. */
  streamTime(): number
  /** The clock as the run recorded it, epoch ms: it stands still during a run. */
  now(): number
  /**
   * Fires again and again; to be called while the processor is made, and in the same order always. By `stream-time`: right
   * after the first record, then when stream time reaches the next multiple of `every`, however many it has passed. By
   * `wall-clock`: at the end of a run whose clock is at least `every` past the last time, for the first time past the run
   * that began it.
   */
  schedule(every: Duration, by: 'stream-time' | 'wall-clock', punctuate: (time: number) => void): Cancellable
}
