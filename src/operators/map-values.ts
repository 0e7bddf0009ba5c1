import type { MapValuesNode } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Another value for each record. */
export function mapValues(node: MapValuesNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const mapped = given(mapper(value, key), 'the mapper')
      running.step = -1
      forward(key, mapped, undefined, timestamp)
    },
  }
}
