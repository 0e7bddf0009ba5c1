import type { Process } from '../../operators/operator.ts'
import { nothing } from '../../operators/step.ts'

/** One function that calls all, in order. */
export function forwardTo(children: readonly Process[]): Process {
  const [first, second] = children
  if (first === undefined) return nothing
  if (second === undefined) return first
  if (children.length === 2) {
    return (key, value, old, timestamp) => {
      first(key, value, old, timestamp)
      second(key, value, old, timestamp)
    }
  }
  return (key, value, old, timestamp) => {
    for (let i = 0; i < children.length; i++) children[i]?.(key, value, old, timestamp)
  }
}
