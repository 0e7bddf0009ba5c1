import type { ForeachNode } from '../topology/nodes.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Shows each record to the user's function. Nothing follows. */
export function foreach(node: ForeachNode, step: Step): Operator {
  const { running } = step.context
  const { id, action } = node
  return {
    process: (key, value) => {
      running.step = id
      action(value, key)
      running.step = -1
    },
  }
}
