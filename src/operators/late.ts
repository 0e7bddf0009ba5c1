import type { Windowed } from '../core/windowed.ts'
import type { LateNode } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Records that missed at least one window. The windowed aggregate above gives the missed windows in the place of `old`. */
export function late(node: LateNode, step: Step): Operator {
  const { forward } = step
  const { running } = step.context
  const { id, mapper } = node
  if (mapper === null) return { process: (key, value, _missed, timestamp) => forward(key, value, undefined, timestamp) }
  return {
    process: (key, value, missed, timestamp) => {
      running.step = id
      const mapped = given(mapper(value, key, missed as readonly Windowed<unknown>[]), 'the mapper')
      running.step = -1
      forward(key, mapped, undefined, timestamp)
    },
  }
}
