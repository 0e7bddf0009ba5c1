import type { Node } from '../../topology/nodes.ts'
import { given } from '../given.ts'
import type { Step } from '../step.ts'

/** A join's function with its result checked. Null stands for the side that is absent. */
export type Joiner = (value: unknown, other: unknown, key: unknown) => unknown

export function joinerOf(node: Node & { readonly joiner: Joiner }, step: Step): Joiner {
  const { running } = step.context
  const { id, joiner } = node
  return (value, other, key) => {
    running.step = id
    const joined = given(joiner(value, other, key), 'the joiner')
    running.step = -1
    return joined
  }
}
