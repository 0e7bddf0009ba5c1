import type { Stores } from '../../operators/state.ts'
import type { PartitionInput } from '../input/partition-input.ts'

/** Sees what a run writes to its stores. */
export interface StoreWatch {
  /** The stores as the operators are to see them. `underWay` gives the record being processed; null at a range's end. */
  stores(stores: Stores, underWay: () => PartitionInput | null): Stores
  /** What was seen since the last call is committed. */
  committed(): void
  /** What was seen since the last commit has not happened. */
  discarded(): void
}
