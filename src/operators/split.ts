import type { SplitNode } from '../topology/nodes.ts'
import { givenTruth } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Sends each record into the first branch whose predicate holds, or into the default one, or nowhere. */
export function split(node: SplitNode, step: Step): Operator {
  const { branches } = step
  const { running } = step.context
  const { id, predicates } = node
  const otherwise = branches[predicates.length]
  return {
    process: (key, value, _old, timestamp) => {
      for (let at = 0; at < predicates.length; at++) {
        running.step = id
        const holds = givenTruth(predicates[at]?.(value, key))
        running.step = -1
        if (!holds) continue
        branches[at]?.(key, value, undefined, timestamp)
        return
      }
      otherwise?.(key, value, undefined, timestamp)
    },
  }
}
