import type { Aggregate } from '../topology/aggregate.ts'
import { checkedName } from '../topology/names.ts'
import type { FramedWindows, SessionWindows, SlidingWindows, WindowSpec } from '../topology/windows.ts'
import { type AggregateSpec, aggregateOf } from './aggregate-spec.ts'
import { count } from './aggregates/count.ts'
import { CogroupedKStream } from './cogrouped-kstream.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { KTable } from './ktable.ts'
import { reducerOf } from './reducer.ts'
import type { GivenSerde, KnownIfSame, SerdeKnown } from './serde-known.ts'
import { SessionWindowedKStream } from './session-windowed-kstream.ts'
import { shownSerde } from './shown-serde.ts'
import { at, type Step } from './step.ts'
import { TimeWindowedKStream } from './time-windowed-kstream.ts'
import { whereOfCall } from './where-of-call.ts'

/** A stream whose records are grouped by key. Records without key or value are left out of plain aggregates. */
export class KGroupedStream<K, V, ValueSerde extends SerdeKnown = 'serde'> {
  readonly [at]: Step
  declare readonly valueSerde?: ValueSerde

  constructor(step: Step) {
    this[at] = step
  }

  /** The number of records of each key, in a store of this name. */
  count(name: string): KTable<K, number, never> {
    return new KTable(this.#aggregated(name, aggregateOf(count())))
  }

  /**
   * Joins the records of each key into one value of the same type; the first is taken as it stands. Where `reducer`
   * returns null the entry is deleted.
   */
  reduce<Kept extends NonNullable<V> | null>(
    name: string,
    reducer: (aggregate: NonNullable<V>, value: NonNullable<V>, key: K) => Kept,
    ...[serde]: GivenSerde<ValueSerde, NonNullable<V>>
  ): KTable<K, NonNullable<V>, Extract<Kept, null>> {
    const value = known(serde ?? this[at].value, `the serde of the values of ${name}`, whereOfCall())
    return new KTable(this.#aggregated(name, reducerOf(reducer, value)))
  }

  /** Folds the records of each key with an aggregate: a ready one, as `mean(...)`, or one of your own. */
  aggregate<A, Kept extends A | null = A, R = A>(
    name: string,
    aggregate: AggregateSpec<K, NonNullable<V>, A, Kept, R>,
  ): KTable<K, NonNullable<R>, Extract<Kept | R, null>, 'serde', KnownIfSame<A, R>> {
    return new KTable(this.#aggregated(name, aggregateOf(aggregate)))
  }

  /** Folds this stream and others into one value for each key: begins with how the records of this one are added. */
  cogroup<A, Kept extends A | null = A>(
    add: (aggregate: A, value: V, key: K) => Kept,
  ): CogroupedKStream<K, V, A, Extract<Kept, null>> {
    return new CogroupedKStream([{ step: this[at], add }])
  }

  /** Cuts each group into windows of time. Sliding windows leave out records without value. */
  windowedBy(windows: FramedWindows): TimeWindowedKStream<K, V, ValueSerde>
  windowedBy(windows: SlidingWindows): TimeWindowedKStream<K, NonNullable<V>, ValueSerde>
  windowedBy(windows: SessionWindows): SessionWindowedKStream<K, V, ValueSerde>
  windowedBy(windows: WindowSpec): unknown {
    if (windows.kind === 'session') return new SessionWindowedKStream(this[at], windows)
    return new TimeWindowedKStream(this[at], windows)
  }

  #aggregated(name: string, aggregate: Aggregate<unknown, unknown, unknown, unknown>): Step {
    const where = whereOfCall()
    const given = checkedName(name, 'a store', where)
    const key = known(this[at].key, `the serde of the keys of ${given}`, where)
    const step = exchanged(this[at], key, where)
    const store = { name: given, key, value: aggregate.serde }
    const node = step.draft.add({ kind: 'aggregate', where, aggregate, store }, [step.node], given)
    return { ...step, node, value: shownSerde(aggregate) }
  }
}
