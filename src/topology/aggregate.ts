import type { Serde } from '../serde/serde.ts'

/**
 * How records fold into one value for each key. An aggregate is pure: no call changes what it was given.
 * A null accumulator from `add` or `undo` deletes the entry; `init` runs again for the next record.
 */
export interface Aggregate<K, V, A, R = A> {
  /** The kind and version of the accumulator, kept with the store: `count@1`, `mean@1`, `custom@1`. */
  readonly format: string
  /** Absent where the first value is the accumulator as it stands (reduce). */
  readonly init?: () => A
  readonly add: (accumulator: A, value: V, key: K) => A | null
  /** Takes back an `add`; tables need it. */
  readonly undo?: (accumulator: A, value: V, key: K) => A | null
  /** Joins two accumulators; sessions need it. */
  readonly merge?: (one: A, two: A, key: K) => A
  /** What the table shows. Absent where it is the accumulator. */
  readonly result?: (accumulator: A, key: K) => R
  readonly serde: Serde<A>
  /** False where `add` and `undo` never look at the value, so that it need not be decoded (count). Default true. */
  readonly readsValue?: boolean
}
