import { asBytes } from '../../core/bytes.ts'
import type { TableSinkNode } from '../../topology/nodes.ts'
import { keyBytesOf, sameFormat, valueBytesOf } from '../bytes-of.ts'
import type { Operator } from '../operator.ts'
import type { Step } from '../step.ts'

/** Writes every update of a table to a topic; a null value is a tombstone. Folding is up to who takes the records. */
export function tableSink(node: TableSinkNode, step: Step): Operator {
  const { context } = step
  const { id } = node
  const keyBytes = keyBytesOf(id, step, node.topic.key)
  const bytes = valueBytesOf(id, step, node.topic.value)
  // who folds keeps the value until the slice ends: it must not hold a whole batch
  const valueBytes = sameFormat(step.rawValue, node.topic.value)
    ? (value: unknown) => new Uint8Array(asBytes(bytes(value)))
    : bytes
  return {
    process: (key, value, _old, timestamp) => {
      context.emit(id, keyBytes(key), value === null ? null : valueBytes(value), timestamp)
    },
  }
}
