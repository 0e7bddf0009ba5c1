import type { StreamTableJoinNode } from '../../topology/nodes.ts'
import type { Operator, Process } from '../operator.ts'
import { skipped, unmatched } from '../skipped.ts'
import type { Step } from '../step.ts'
import { tableView } from '../tables/table-view.ts'
import { joinerOf } from './joiner.ts'
import { withGrace } from './stream-table-grace-join.ts'

/**
 * Looks a stream's record up in a table, as the table is at that moment, or in a versioned one as it was at the record's
 * time; the result has the record's time. A null value is skipped and counted; so is a null key, but a left join passes
 * it on with null from the table.
 */
export function streamTableJoin(node: StreamTableJoinNode, step: Step): Operator {
  const { graceMs } = node
  if (graceMs === null) return { process: lookUp(node, step) }
  // what has waited is not the record under way
  return withGrace(node, step, graceMs, lookUp(node, { ...step, rawKey: null }))
}

function lookUp(node: StreamTableJoinNode, step: Step): Process {
  const { context, forward } = step
  const { id, left } = node
  const [, table] = node.parents
  if (table === undefined) throw new Error(`the join ${node.name} has no table`)
  const rows = tableView(table, id, step)
  const joined = joinerOf(node, step)
  return (key, value, _old, timestamp) => {
    if (value === null || (key === null && !left)) {
      skipped(context, node.name, key === null && !left ? 'null-key' : 'null-value')
      return
    }
    const row = key === null ? null : rows.get(key, timestamp)
    if (row === null) {
      unmatched(context, node.name)
      if (!left) return
    }
    forward(key, joined(value, row, key), undefined, timestamp)
  }
}
