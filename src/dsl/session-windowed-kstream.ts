import type { SessionWindows } from '../topology/windows.ts'
import { aggregateOf, type MergeableSpec } from './aggregate-spec.ts'
import { count } from './aggregates/count.ts'
import { known } from './known.ts'
import { type ReduceOptions, reduceOptions } from './reduce-options.ts'
import { reducerOf } from './reducer.ts'
import type { KnownIfSame, SerdeKnown } from './serde-known.ts'
import { at, type Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'
import { WindowedKTable } from './windowed-ktable.ts'
import { type WindowedOptions, windowedStep } from './windowed-step.ts'

/**
 * A grouped stream cut into sessions. Records without key are left out; those without value are seen. A session that
 * grows into another one is deleted: its table always deletes.
 */
export class SessionWindowedKStream<K, V, ValueSerde extends SerdeKnown = 'serde'> {
  readonly [at]: Step
  readonly #windows: SessionWindows

  constructor(step: Step, windows: SessionWindows) {
    this[at] = step
    this.#windows = windows
  }

  /** The number of records of each session, in a store of this name. */
  count(name: string, options: WindowedOptions = {}): WindowedKTable<K, number, null, 'serde', V, ValueSerde> {
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, aggregateOf(count()), options))
  }

  /**
   * Joins the records of each session into one value of the same type, and sessions that meet in the same way; the first
   * is taken as it stands. Where `reducer` returns null the entry is deleted.
   */
  reduce(
    name: string,
    reducer: (aggregate: NonNullable<V>, value: V, key: K) => NonNullable<V> | null,
    ...given: ReduceOptions<ValueSerde, NonNullable<V>>
  ): WindowedKTable<K, NonNullable<V>, null, 'serde', V, ValueSerde> {
    const [serde, options] = reduceOptions(given)
    const value = known(serde ?? this[at].value, `the serde of the values of ${name}`, whereOfCall())
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, reducerOf(reducer, value), options))
  }

  /** Folds the records of each session with an aggregate that can merge: a ready one, or one of your own. */
  aggregate<A, Kept extends A | null = A, R = A>(
    name: string,
    aggregate: MergeableSpec<K, V, A, Kept, R>,
    options: WindowedOptions = {},
  ): WindowedKTable<K, NonNullable<R>, null, KnownIfSame<A, R>, V, ValueSerde> {
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, aggregateOf(aggregate), options))
  }
}
