import type { StreamTableJoinNode } from '../topology/nodes.ts'
import { given } from './given.ts'
import type { Operator } from './operator.ts'
import { skipped } from './skipped.ts'
import type { Step } from './step.ts'
import { tableGetter } from './table-getter.ts'

/**
 * Looks a stream's record up in a table, as the table is at that moment; the result has the record's time. A null value
 * is skipped and counted; so is a null key, but a left join passes it on with null from the table.
 */
export function streamTableJoin(node: StreamTableJoinNode, step: Step): Operator {
  const { context, forward } = step
  const { running } = context
  const { id, left, joiner } = node
  const [, table] = node.parents
  if (table === undefined) throw new Error(`the join ${node.name} has no table`)
  const other = tableGetter(table, id, step)
  return {
    inputs: [join, null],
    process: join,
  }

  function join(key: unknown, value: unknown, _old: unknown, timestamp: number): void {
    if (value === null || (key === null && !left)) {
      skipped(context, node.name, key === null && !left ? 'null-key' : 'null-value')
      return
    }
    const row = key === null ? null : other(key)
    if (row === null && !left) return
    running.step = id
    const joined = given(joiner(value, row, key), 'the joiner')
    running.step = -1
    forward(key, joined, undefined, timestamp)
  }
}
