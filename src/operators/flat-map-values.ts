import type { FlatMapValuesNode } from '../topology/nodes.ts'
import { given, givenMany } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Any number of values for each record, in the order given. */
export function flatMapValues(node: FlatMapValuesNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      for (const result of givenMany(mapper(value, key), 'the mapper')) {
        given(result, 'the mapper')
        running.step = -1
        forward(key, result, undefined, timestamp)
        running.step = id // a generator runs on between two results
      }
      running.step = -1
    },
  }
}
