import type { Aggregate } from '../topology/aggregate.ts'
import type { Node } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Running } from './operator.ts'

/** An aggregate's functions with their results checked, as one step runs them. Absent accumulators are null. */
export interface Accumulator {
  /** What is there before the first `add`; null for a reduce. */
  start(): unknown
  /** The accumulator with the value added. Null deletes the entry. */
  add(accumulator: unknown, value: unknown, key: unknown): unknown
  /** The accumulator without the value. Null deletes the entry. */
  undo(accumulator: unknown, value: unknown, key: unknown): unknown
  /** One accumulator of two; where one of them is null, the other. */
  merge(one: unknown, two: unknown, key: unknown): unknown
  /** What the table shows; null for null. */
  result(accumulator: unknown, key: unknown): unknown
}

type AnyAggregate = Aggregate<unknown, unknown, unknown, unknown>

export function accumulatorOf(node: Node, aggregate: AnyAggregate, running: Running): Accumulator {
  const { id } = node
  const { init, add, undo, merge, result } = aggregate
  return {
    start: () => {
      if (init === undefined) return null
      running.step = id
      const accumulator = given(init(), 'the initializer')
      running.step = -1
      return accumulator
    },
    add: (accumulator, value, key) => {
      if (accumulator === null && init === undefined) return value
      running.step = id
      const added = given(add(accumulator, value, key), 'the aggregator')
      running.step = -1
      return added
    },
    undo: (accumulator, value, key) => {
      if (undo === undefined) throw new Error(`the aggregate of ${node.name} cannot undo`)
      running.step = id
      const undone = given(undo(accumulator, value, key), 'the subtractor')
      running.step = -1
      return undone
    },
    merge: (one, two, key) => {
      if (merge === undefined) throw new Error(`the aggregate of ${node.name} cannot merge`)
      if (one === null || two === null) return one ?? two
      running.step = id
      const merged = given(merge(one, two, key), 'the merger')
      running.step = -1
      return merged
    },
    result: (accumulator, key) => {
      if (result === undefined || accumulator === null) return accumulator
      running.step = id
      const shown = given(result(accumulator, key), 'the result function')
      running.step = -1
      return shown
    },
  }
}
