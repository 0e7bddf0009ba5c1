import type { MapNode } from '../topology/nodes.ts'
import { givenPair } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Another key and value for each record. */
export function map(node: MapNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const pair = givenPair(mapper(value, key), 'the mapper')
      running.step = -1
      forward(pair[0], pair[1], undefined, timestamp)
    },
  }
}
