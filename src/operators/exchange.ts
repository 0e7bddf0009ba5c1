import type { ExchangeNode } from '../topology/nodes.ts'
import { keyBytesOf, valueBytesOf } from './bytes-of.ts'
import type { Operator } from './operator.ts'
import { skipped } from './skipped.ts'
import type { Step } from './step.ts'

/**
 * The way into an exchange. Null keys end here, uncounted, unless the exchange carries them. One that is published
 * writes every record to its topic first; what its readers may not see is skipped and counted, as a source does.
 */
export function exchange(node: ExchangeNode, step: Step): Operator {
  const { context } = step
  const { id, nullKeys, published } = node
  const keyBytes = keyBytesOf(id, step, node.key)
  if (published === null) {
    return {
      process: (key, value, old, timestamp) => {
        if (key === null && !nullKeys) return
        context.exchange(id, key === null ? null : keyBytes(key), key, value, old, timestamp)
      },
    }
  }
  const valueBytes = valueBytesOf(id, step, published.value)
  const nullValues =
    published.nullValue || step.nodes.some(({ kind, parents }) => kind === 'to-table' && parents.includes(id))
  return {
    process: (key, value, old, timestamp) => {
      const bytes = key === null ? null : keyBytes(key)
      context.emit(id, bytes, value === null ? null : valueBytes(value), timestamp)
      if (key === null && !nullKeys) skipped(context, node.name, 'null-key')
      else if (value === null && !nullValues) skipped(context, node.name, 'null-value')
      else context.exchange(id, bytes, key, value, old, timestamp)
    },
  }
}
