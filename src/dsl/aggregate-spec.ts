import type { Serde } from '../serde/serde.ts'
import type { Aggregate } from '../topology/aggregate.ts'

/**
 * How values `V` of a key `K` fold into one `A`. It is pure: no call changes what it was given. Where `add` or `undo`
 * returns null (`Kept` then includes it) the entry is deleted, and `init` runs again for the next record.
 */
export interface AggregateSpec<K, V, A, Kept extends A | null = A, R = A> {
  readonly init: () => A
  readonly add: (aggregate: A, value: V, key: K) => Kept
  /** Takes back an `add`: needed where a table is regrouped. */
  readonly undo?: (aggregate: A, value: V, key: K) => Kept
  /** Joins two: sessions need it. */
  readonly merge?: (one: A, two: A, key: K) => A
  /** What the table shows. Without it, the aggregate itself. */
  readonly result?: (aggregate: A, key: K) => R
  readonly serde: Serde<A>
  /** Kind and version of what is stored. Change it when old aggregates no longer fit. Default `custom@1`. */
  readonly format?: string
  /** False where the values are never looked at, so that they need not be decoded. */
  readonly readsValue?: boolean
}

/** An aggregate that can take back what it added. */
export interface UndoableSpec<K, V, A, Kept extends A | null = A, R = A> extends AggregateSpec<K, V, A, Kept, R> {
  readonly undo: (aggregate: A, value: V, key: K) => Kept
}

/** An aggregate that can join two of itself. */
export interface MergeableSpec<K, V, A, Kept extends A | null = A, R = A> extends AggregateSpec<K, V, A, Kept, R> {
  readonly merge: (one: A, two: A, key: K) => A
}

/** An aggregate for all purposes: it takes back what it added, and joins two of itself. */
export type ReadySpec<K, V, A, Kept extends A | null = A, R = A> = UndoableSpec<K, V, A, Kept, R> &
  MergeableSpec<K, V, A, Kept, R>

/** The aggregate of a node. */
export function aggregateOf(
  // biome-ignore lint/suspicious/noExplicitAny: a node holds its callbacks untyped; the surface has checked them
  spec: AggregateSpec<any, any, any, any, any>,
): Aggregate<unknown, unknown, unknown, unknown> {
  const { init, add, undo, merge, result, serde, format = 'custom@1', readsValue } = spec
  return {
    format,
    init,
    add,
    serde,
    ...(undo === undefined ? {} : { undo }),
    ...(merge === undefined ? {} : { merge }),
    ...(result === undefined ? {} : { result }),
    ...(readsValue === undefined ? {} : { readsValue }),
  }
}
