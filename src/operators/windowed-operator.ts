import { unreachable } from '../core/errors.ts'
import type { WindowedAggregateNode } from '../topology/nodes.ts'
import type { Operator } from './operator.ts'
import { sessionAggregate } from './session-aggregate.ts'
import { slidingAggregate } from './sliding-aggregate.ts'
import type { Step } from './step.ts'
import { windowedAggregate } from './windowed-aggregate.ts'

/** The operator of a windowed aggregate, by its kind of windows. */
export function windowedOperator(node: WindowedAggregateNode, step: Step): Operator {
  const { windows } = node
  switch (windows.kind) {
    case 'time':
      return windowedAggregate({ ...node, windows }, step)
    case 'sliding':
      return slidingAggregate({ ...node, windows }, step)
    case 'session':
      return sessionAggregate({ ...node, windows }, step)
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
