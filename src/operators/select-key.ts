import type { SelectKeyNode } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Another key for each record. */
export function selectKey(node: SelectKeyNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const selected = given(mapper(value, key), 'the key mapper')
      running.step = -1
      forward(selected, value, undefined, timestamp)
    },
  }
}
