import type { ToStreamNode } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** A table's updates as records; tombstones too. A key mapper sees them with a null value. */
export function toStream(node: ToStreamNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  if (mapper === null) return { process: (key, value, _old, timestamp) => forward(key, value, undefined, timestamp) }
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const selected = given(mapper(value, key), 'the key mapper')
      running.step = -1
      forward(selected, value, undefined, timestamp)
    },
  }
}
