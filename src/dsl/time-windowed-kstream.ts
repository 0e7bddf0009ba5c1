import type { Duration } from '../core/duration.ts'
import type { Aggregate } from '../topology/aggregate.ts'
import { checkedName } from '../topology/names.ts'
import type { TimeWindows } from '../topology/windows.ts'
import { type AggregateSpec, aggregateOf } from './aggregate-spec.ts'
import { count } from './aggregates/count.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { reducerOf } from './reducer.ts'
import type { KnownIfSame, SerdeFor, SerdeKnown } from './serde-known.ts'
import { shownSerde } from './shown-serde.ts'
import { at, type Step } from './step.ts'
import { withRetention } from './time-windows.ts'
import { whereOfCall } from './where-of-call.ts'
import { WindowedKTable } from './windowed-ktable.ts'

export interface WindowedOptions {
  /** Every update (default), or each window once, when it closes. */
  readonly emit?: 'on-update' | 'on-window-close'
  /** How long windows are kept: at least size + grace. Default: that of the windows. */
  readonly retention?: Duration
}

type ReduceOptions<Known extends SerdeKnown, V> =
  | [serde: SerdeFor<V>, options?: WindowedOptions]
  | (Known extends 'serde' ? [options?: WindowedOptions] : never)

/** A grouped stream cut into windows. Records without key are left out; those without value are seen. */
export class TimeWindowedKStream<K, V, ValueSerde extends SerdeKnown = 'serde'> {
  readonly [at]: Step
  readonly #windows: TimeWindows

  constructor(step: Step, windows: TimeWindows) {
    this[at] = step
    this.#windows = windows
  }

  /** The number of records of each key and window, in a store of this name. */
  count(name: string, options: WindowedOptions = {}): WindowedKTable<K, number, never, 'serde', V, ValueSerde> {
    return new WindowedKTable(...this.#aggregated(name, aggregateOf(count()), options))
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
    const [first, second = {}] = given
    const [serde, options] = first !== undefined && 'encode' in first ? [first, second] : [null, first ?? {}]
    const value = known(serde ?? this[at].value, `the serde of the values of ${name}`, whereOfCall())
    return new WindowedKTable(...this.#aggregated(name, reducerOf(reducer, value), options))
  }

  /** Folds the records of each key and window with an aggregate: a ready one, as `mean(...)`, or one of your own. */
  aggregate<A, Kept extends A | null = A, R = A>(
    name: string,
    aggregate: AggregateSpec<K, V, A, Kept, R>,
    options: WindowedOptions = {},
  ): WindowedKTable<K, NonNullable<R>, Extract<Kept | R, null>, KnownIfSame<A, R>, V, ValueSerde> {
    return new WindowedKTable(...this.#aggregated(name, aggregateOf(aggregate), options))
  }

  /** The step of the table, and that of the grouped stream above it. */
  #aggregated(
    name: string,
    aggregate: Aggregate<unknown, unknown, unknown, unknown>,
    { emit = 'on-update', retention }: WindowedOptions,
  ): [table: Step, grouped: Step] {
    const where = whereOfCall()
    const given = checkedName(name, 'a store', where)
    const key = known(this[at].key, `the serde of the keys of ${given}`, where)
    const grouped = exchanged(this[at], key, where)
    const windows = retention === undefined ? this.#windows : withRetention(this.#windows, retention)
    const { retentionMs, sizeMs, advanceMs } = windows
    const rows = `window ${sizeMs} ms every ${advanceMs} ms`
    const store = { name: given, key, value: aggregate.serde, retentionMs, shape: 'window', rows } as const
    const settings = { kind: 'windowed-aggregate', where, windows, emit, aggregate, store } as const
    const node = grouped.draft.add(settings, [grouped.node], given)
    return [{ ...grouped, node, key: null, value: shownSerde(aggregate) }, grouped]
  }
}
