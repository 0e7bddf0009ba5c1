import type { StreamSinkNode } from '../topology/nodes.ts'
import { keyBytesOf, valueBytesOf } from './bytes-of.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Writes every record to a topic. */
export function streamSink(node: StreamSinkNode, step: Step): Operator {
  const { context } = step
  const { id } = node
  const keyBytes = keyBytesOf(id, step, node.topic.key)
  const valueBytes = valueBytesOf(id, step, node.topic.value)
  return {
    process: (key, value, _old, timestamp) => {
      context.emit(id, key === null ? null : keyBytes(key), value === null ? null : valueBytes(value), timestamp)
    },
  }
}
