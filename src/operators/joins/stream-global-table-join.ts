import type { StreamGlobalTableJoinNode } from '../../topology/nodes.ts'
import { given } from '../given.ts'
import type { Operator } from '../operator.ts'
import { skipped, unmatched } from '../skipped.ts'
import type { Step } from '../step.ts'
import { tableView } from '../tables/table-view.ts'
import { joinerOf } from './joiner.ts'

/**
 * Looks a stream's record up in a global table, by the key that `keyOf` makes of it; the result has the record's own key
 * and time. A null value is skipped and counted; so is a null made key, but a left join passes that on with null.
 */
export function streamGlobalTableJoin(node: StreamGlobalTableJoinNode, step: Step): Operator {
  const { context, forward } = step
  const { running } = context
  const { id, left, keyOf, parents } = node
  const [, table] = parents
  if (table === undefined) throw new Error(`the join ${node.name} has no table`)
  const rows = tableView(table, id, { ...step, rawKey: null })
  const join = joinerOf(node, step)
  return {
    process: (key, value, _old, timestamp) => {
      if (value === null) {
        skipped(context, node.name, 'null-value')
        return
      }
      running.step = id
      const wanted = given(keyOf(value, key), 'the key mapper')
      running.step = -1
      if (wanted === null && !left) {
        skipped(context, node.name, 'null-key')
        return
      }
      const row = wanted === null ? null : rows.get(wanted)
      if (row === null) unmatched(context, node.name)
      if (row !== null || left) forward(key, join(value, row, key), undefined, timestamp)
    },
  }
}
