import type { TableAggregateNode } from '../../topology/nodes.ts'
import { accumulatorOf } from '../accumulator.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator } from '../operator.ts'
import type { Step } from '../step.ts'

/**
 * Folds the rows of a regrouped table: takes the old row out, then the new one in, and emits once. Nothing is taken out
 * of a group that is not there.
 */
export function tableAggregate(node: TableAggregateNode, step: Step): Operator {
  const { context, forward, sendsOld } = step
  const state = context.keyValue(node.store.name)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const { start, add, undo, result } = accumulatorOf(node, node.aggregate, context.running)
  return {
    process: (key, value, old, timestamp) => {
      const bytes = keyBytes(key)
      const entry = state.get(bytes)
      const before = entry === undefined ? null : entry.value
      const time = entry === undefined ? timestamp : Math.max(entry.timestamp, timestamp)
      const undone = before !== null && isThere(old) ? undo(before, old, key) : before
      const after = isThere(value) ? add(undone ?? start(), value, key) : undone
      if (after === null) state.delete(bytes)
      else state.put(bytes, after, time)
      forward(key, result(after, key), sendsOld ? result(before, key) : undefined, time)
    },
  }
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined
}
