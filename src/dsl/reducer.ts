import type { Serde } from '../serde/serde.ts'
import type { Aggregate } from '../topology/aggregate.ts'

// biome-ignore lint/suspicious/noExplicitAny: a node holds its callbacks untyped; the surface has checked them
type Reducer = (aggregate: any, value: any, key: any) => unknown

/** The aggregate of a reduce: the first value is the accumulator as it stands. */
export function reducerOf(
  add: Reducer,
  serde: Serde<unknown>,
  undo?: Reducer,
): Aggregate<unknown, unknown, unknown, unknown> {
  return { format: 'reduce@1', add, merge: add, serde, ...(undo === undefined ? {} : { undo }) }
}
