import type { FlatMapNode } from '../topology/nodes.ts'
import { givenMany, givenPair } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Any number of keys and values for each record, in the order given. */
export function flatMap(node: FlatMapNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      for (const result of givenMany(mapper(value, key), 'the mapper')) {
        const pair = givenPair(result, 'the mapper')
        running.step = -1
        forward(pair[0], pair[1], undefined, timestamp)
        running.step = id // a generator runs on between two results
      }
      running.step = -1
    },
  }
}
