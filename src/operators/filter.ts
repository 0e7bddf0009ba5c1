import type { FilterNode } from '../topology/nodes.ts'
import { givenTruth } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Lets through what the predicate holds for. It sees null keys and values, where the topic has them. */
export function filter(node: FilterNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, predicate, negate } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const holds = givenTruth(predicate(value, key))
      running.step = -1
      if (holds !== negate) forward(key, value, undefined, timestamp)
    },
  }
}
