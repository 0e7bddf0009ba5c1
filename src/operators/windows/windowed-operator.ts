import { unreachable } from '../../core/errors.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { Operator, TimedOperator } from '../operator.ts'
import type { Step } from '../step.ts'
import { streamTimeNames } from '../stream-time-names.ts'
import { sessionAggregate } from './session-aggregate.ts'
import { slidingAggregate } from './sliding-aggregate.ts'
import { windowedAggregate } from './windowed-aggregate.ts'

/**
 * The operator of a windowed aggregate, by its kind of windows. The streams of a cogroup fold into the same windows, each
 * with an adder and a stream time of its own.
 */
export function windowedOperator(node: WindowedAggregateNode, step: Step): Operator {
  const [name = node.name, ...others] = streamTimeNames(node)
  if (node.adders === undefined) return oneInput(node, step, name)
  const inputs = [name, ...others].map((time, index) => {
    const add = node.adders?.[index] ?? node.aggregate.add
    return oneInput({ ...node, aggregate: { ...node.aggregate, add } }, step, time)
  })
  const timed = inputs.map((input) => input.timed).filter((input) => input !== undefined)
  return {
    process: inputs[0]?.process ?? step.forward,
    inputs: inputs.map(({ process }) => process),
    timed: all(timed),
  }
}

function oneInput(node: WindowedAggregateNode, step: Step, timeName: string): Operator {
  const { windows } = node
  const time = step.context.streamTime(timeName)
  switch (windows.kind) {
    case 'time':
    case 'calendar':
      return windowedAggregate({ ...node, windows }, step, time)
    case 'sliding':
      return slidingAggregate({ ...node, windows }, step, time)
    case 'session':
      return sessionAggregate({ ...node, windows }, step, time)
    default:
      return unreachable(windows, 'the kind of windows')
  }
}

function all(timed: readonly TimedOperator[]): TimedOperator {
  return {
    advanceTime: (timestamp) => {
      for (const each of timed) each.advanceTime(timestamp)
    },
    latestClose: () => Math.max(...timed.map((each) => each.latestClose())),
  }
}
