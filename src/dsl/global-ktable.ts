import { at, type Step } from './step.ts'

declare const looksUp: unique symbol

/**
 * A table that every task of the job sees whole, whatever its partitions: a stream joins it by any key that its records
 * give. It is read like any table, in the order of event time, and is there only to be joined with.
 */
export class GlobalKTable<K, V> {
  readonly [at]: Step
  declare readonly [looksUp]: (key: K) => V

  constructor(step: Step) {
    this[at] = step
  }
}
