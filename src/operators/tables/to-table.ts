import type { ToTableNode } from '../../topology/nodes.ts'
import type { Operator } from '../operator.ts'
import type { Step } from '../step.ts'
import { tableUpdate } from './table-update.ts'

/** Reads a stream as a table: the last record of a key is its row, a null value deletes it. */
export function toTable(node: ToTableNode, step: Step): Operator {
  return { process: tableUpdate(node, step) }
}
