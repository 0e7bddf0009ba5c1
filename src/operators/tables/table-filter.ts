import type { TableFilterNode } from '../../topology/nodes.ts'
import { historyOf } from '../../topology/versioned.ts'
import { keyBytesOf } from '../bytes-of.ts'
import { givenTruth } from '../given.ts'
import type { Operator } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import type { Step } from '../step.ts'

/**
 * The rows that the predicate holds for; the others are tombstones. Where the value before is known, a row that neither
 * was nor is in the result is silent, unless the table is versioned: then each version counts. The predicate never sees
 * tombstones.
 */
export function tableFilter(node: TableFilterNode, step: Step): Operator {
  const { context, forward, sendsOld } = step
  const state = node.store === null ? null : context.keyValue(node.store.name)
  const keyBytes = node.store === null ? null : keyBytesOf(node.id, step, node.store.key)
  const kept = filterValue(node, step)
  const versioned = isVersioned(node.parents[0], step)
  return {
    process: (key, value, old, timestamp) => {
      const after = kept(value, key)
      if (state === null || keyBytes === null) {
        const before = old === OUT_OF_ORDER ? OUT_OF_ORDER : sendsOld ? kept(old ?? null, key) : undefined
        if (after !== null || before !== null || versioned) forward(key, after, before, timestamp)
        return
      }
      const bytes = keyBytes(key)
      const before = sendsOld ? (state.get(bytes)?.value ?? null) : undefined
      if (after === null && before === null && !versioned) return
      if (after === null) state.delete(bytes)
      else state.put(bytes, after, timestamp)
      forward(key, after, before, timestamp)
    },
  }
}

function isVersioned(table: number | undefined, { nodes }: Step): boolean {
  return table !== undefined && historyOf((id) => nodes[id], table) !== undefined
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
