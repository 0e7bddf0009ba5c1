import type { Aggregate } from '../topology/aggregate.ts'
import { checkedName } from '../topology/names.ts'
import { aggregateOf, type UndoableSpec } from './aggregate-spec.ts'
import { count } from './aggregates/count.ts'
import { known } from './known.ts'
import { KTable } from './ktable.ts'
import { reducerOf } from './reducer.ts'
import type { KnownIfSame, SerdeFor } from './serde-known.ts'
import { shownSerde } from './shown-serde.ts'
import { at, type Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'

/** A table regrouped under new keys. A changed entry is taken out of its old group, then added to its new one. */
export class KGroupedTable<K, V> {
  readonly [at]: Step

  constructor(step: Step) {
    this[at] = step
  }

  /** The number of entries of each group, in a store of this name. */
  count(name: string): KTable<K, number, never> {
    return new KTable(this.#aggregated(name, aggregateOf(count())))
  }

  /** Joins the values of each group with `add`; `undo` takes a value out again. Null deletes the group's entry. */
  reduce<Kept extends V | null>(
    name: string,
    add: (aggregate: V, value: V, key: K) => Kept,
    undo: (aggregate: V, value: V, key: K) => Kept,
    serde: SerdeFor<V>,
  ): KTable<K, V, Extract<Kept, null>> {
    return new KTable(this.#aggregated(name, reducerOf(add, serde, undo)))
  }

  /** Folds the values of each group with an aggregate that can take back: a ready one, or one of your own. */
  aggregate<A, Kept extends A | null = A, R = A>(
    name: string,
    aggregate: UndoableSpec<K, V, A, Kept, R>,
  ): KTable<K, NonNullable<R>, Extract<Kept | R, null>, 'serde', KnownIfSame<A, R>> {
    return new KTable(this.#aggregated(name, aggregateOf(aggregate)))
  }

  #aggregated(name: string, aggregate: Aggregate<unknown, unknown, unknown, unknown>): Step {
    const where = whereOfCall()
    const given = checkedName(name, 'a store', where)
    const step = this[at]
    const key = known(step.key, `the serde of the keys of ${given}`, where)
    const exchange = step.draft.add(
      { kind: 'exchange', where, key, value: step.value, nullKeys: false, changes: true, published: null },
      [step.node],
    )
    const store = { name: given, key, value: aggregate.serde }
    const node = step.draft.add({ kind: 'table-aggregate', where, aggregate, store }, [exchange], given)
    return { ...step, node, rekeyed: false, value: shownSerde(aggregate) }
  }
}
