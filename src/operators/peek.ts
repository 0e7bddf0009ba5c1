import type { PeekNode } from '../topology/nodes.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Shows each record to the user's function and passes it on. */
export function peek(node: PeekNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, action } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      action(value, key)
      running.step = -1
      forward(key, value, undefined, timestamp)
    },
  }
}
