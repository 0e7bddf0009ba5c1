import type { FramedWindows, SlidingWindows } from '../topology/windows.ts'
import { type AggregateSpec, aggregateOf } from './aggregate-spec.ts'
import { count } from './aggregates/count.ts'
import { known } from './known.ts'
import { type ReduceOptions, reduceOptions } from './reduce-options.ts'
import { reducerOf } from './reducer.ts'
import type { KnownIfSame, SerdeKnown } from './serde-known.ts'
import { at, type Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'
import { WindowedKTable } from './windowed-ktable.ts'
import { type WindowedOptions, windowedStep } from './windowed-step.ts'

/** A grouped stream cut into windows. Records without key are left out; those without value are seen where `V` says so. */
export class TimeWindowedKStream<K, V, ValueSerde extends SerdeKnown = 'serde'> {
  readonly [at]: Step
  readonly #windows: FramedWindows | SlidingWindows

  constructor(step: Step, windows: FramedWindows | SlidingWindows) {
    this[at] = step
    this.#windows = windows
  }

  /** The number of records of each key and window, in a store of this name. */
  count(name: string, options: WindowedOptions = {}): WindowedKTable<K, number, never, 'serde', V, ValueSerde> {
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, aggregateOf(count()), options))
  }

  /**
   * Joins the records of each key and window into one value of the same type; the first is taken as it stands. Where
   * `reducer` returns null the entry is deleted.
   */
  reduce<Kept extends NonNullable<V> | null>(
    name: string,
    reducer: (aggregate: NonNullable<V>, value: V, key: K) => Kept,
    ...given: ReduceOptions<ValueSerde, NonNullable<V>>
  ): WindowedKTable<K, NonNullable<V>, Extract<Kept | V, null>, 'serde', V, ValueSerde> {
    const [serde, options] = reduceOptions(given)
    const value = known(serde ?? this[at].value, `the serde of the values of ${name}`, whereOfCall())
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, reducerOf(reducer, value), options))
  }

  /** Folds the records of each key and window with an aggregate: a ready one, as `mean(...)`, or one of your own. */
  aggregate<A, Kept extends A | null = A, R = A>(
    name: string,
    aggregate: AggregateSpec<K, V, A, Kept, R>,
    options: WindowedOptions = {},
  ): WindowedKTable<K, NonNullable<R>, Extract<Kept | R, null>, KnownIfSame<A, R>, V, ValueSerde> {
    return new WindowedKTable(...windowedStep(this[at], this.#windows, name, aggregateOf(aggregate), options))
  }
}
