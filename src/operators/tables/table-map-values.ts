import type { TableMapValuesNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import { given } from '../given.ts'
import type { Operator } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import type { Step } from '../step.ts'

/** Another value for each row; null where the mapper says so. The mapper never sees tombstones. */
export function tableMapValues(node: TableMapValuesNode, step: Step): Operator {
  const { context, forward, sendsOld } = step
  const state = node.store === null ? null : context.keyValue(node.store.name)
  const keyBytes = node.store === null ? null : keyBytesOf(node.id, step, node.store.key)
  const mapped = mappedValue(node, step)
  return {
    process: (key, value, old, timestamp) => {
      const after = mapped(value, key)
      if (state === null || keyBytes === null) {
        const before = old === OUT_OF_ORDER ? OUT_OF_ORDER : sendsOld ? mapped(old ?? null, key) : undefined
        forward(key, after, before, timestamp)
        return
      }
      const bytes = keyBytes(key)
      const before = sendsOld ? (state.get(bytes)?.value ?? null) : undefined
      if (after === null) state.delete(bytes)
      else state.put(bytes, after, timestamp)
      forward(key, after, before, timestamp)
    },
  }
}

/** The mapper's value; null for null. */
export function mappedValue(node: TableMapValuesNode, step: Step): (value: unknown, key: unknown) => unknown {
  const { running } = step.context
  const { id, mapper } = node
  return (value, key) => {
    if (value === null) return null
    running.step = id
    const mapped = given(mapper(value, key), 'the mapper')
    running.step = -1
    return mapped
  }
}
