import type { TableSourceNode } from '../../topology/nodes.ts'
import type { Operator } from '../operator.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { tableUpdate } from './table-update.ts'

/** Reads a topic as a table. An out-of-order update is applied all the same: the last arrival wins. */
export function tableSource(node: TableSourceNode, step: Step): Operator {
  if (node.store !== null) return { process: tableUpdate(node, step) }
  const { context, forward } = step
  return {
    process: (key, value, _old, timestamp) => {
      if (key === null) skipped(context, node.name, 'null-key')
      else forward(key, value, undefined, timestamp)
    },
  }
}
