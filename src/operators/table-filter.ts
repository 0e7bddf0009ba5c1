import type { TableFilterNode } from '../topology/nodes.ts'
import { keyBytesOf } from './bytes-of.ts'
import { givenTruth } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/**
 * The rows that the predicate holds for; the others are tombstones. Where the value before is known, a row that neither
 * was nor is in the result is silent. The predicate never sees tombstones.
 */
export function tableFilter(node: TableFilterNode, step: Step): Operator {
  const { context, forward, sendsOld } = step
  const state = node.store === null ? null : context.keyValue(node.store.name)
  const keyBytes = node.store === null ? null : keyBytesOf(node.id, step, node.store.key)
  const kept = filterValue(node, step)
  return {
    process: (key, value, old, timestamp) => {
      const after = kept(value, key)
      if (state === null || keyBytes === null) {
        const before = sendsOld ? kept(old ?? null, key) : undefined
        if (after !== null || before !== null) forward(key, after, before, timestamp)
        return
      }
      const bytes = keyBytes(key)
      const before = sendsOld ? (state.get(bytes)?.value ?? null) : undefined
      if (after === null && before === null) return
      if (after === null) state.delete(bytes)
      else state.put(bytes, after, timestamp)
      forward(key, after, before, timestamp)
    },
  }
}

/** The value where the predicate holds, else null. */
export function filterValue(node: TableFilterNode, step: Step): (value: unknown, key: unknown) => unknown {
  const { running } = step.context
  const { id, predicate, negate } = node
  return (value, key) => {
    if (value === null) return null
    running.step = id
    const holds = givenTruth(predicate(value, key))
    running.step = -1
    return holds !== negate ? value : null
  }
}
