import type { AggregateNode } from '../topology/nodes.ts'
import { accumulatorOf } from './accumulator.ts'
import { keyBytesOf } from './bytes-of.ts'
import type { Operator, Process } from './operator.ts'
import { skipped } from './skipped.ts'
import type { Step } from './step.ts'

/**
 * Folds the records of each key into one value: count, reduce and aggregate alike. Null keys and null values are skipped
 * and counted. The streams of a cogroup fold into the same values, each with an adder of its own. Where there was no entry, the value before is what `init` gives, as in Kafka Streams.
 */
export function aggregate(node: AggregateNode, step: Step): Operator {
  const { adders } = node
  if (adders === undefined) return { process: aggregateInput(node, step) }
  const inputs = adders.map((add) => aggregateInput({ ...node, aggregate: { ...node.aggregate, add } }, step))
  return { process: inputs[0] ?? step.forward, inputs }
}

function aggregateInput(node: AggregateNode, step: Step): Process {
  const { context, forward, sendsOld } = step
  const state = context.keyValue(node.store.name)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const { start, add, result } = accumulatorOf(node, node.aggregate, context.running)
  return (key, value, _old, timestamp) => {
    if (key === null || value === null) {
      skipped(context, node.name, key === null ? 'null-key' : 'null-value')
      return
    }
    const bytes = keyBytes(key)
    const entry = state.get(bytes)
    const before = entry === undefined ? start() : entry.value
    const time = entry === undefined ? timestamp : Math.max(entry.timestamp, timestamp)
    const after = add(before, value, key)
    if (after === null) state.delete(bytes)
    else state.put(bytes, after, time)
    forward(key, result(after, key), sendsOld ? result(before, key) : undefined, time)
  }
}
