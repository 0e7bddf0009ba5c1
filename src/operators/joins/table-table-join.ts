import type { TableTableJoinNode } from '../../topology/nodes.ts'
import type { Operator, Process } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import { resultSender } from '../result-sender.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { type TableView, tableView } from '../tables/table-view.ts'
import { joinerOf } from './joiner.ts'

/** Which rows a side needs, and what it makes of them. */
interface Side {
  readonly other: TableView
  /** No result where the other side has no row. */
  readonly needsOther: boolean
  /** A result where only the other side has a row. */
  readonly joinsAbsent: boolean
  readonly join: (own: unknown, other: unknown, key: unknown) => unknown
}

/**
 * Joins two tables by key. An update of either side is joined with the other's row; the result has the later time of
 * both. A side that changes nothing, for a key that the other side does not have, is silent. What comes out of order into
 * a versioned table is skipped and counted.
 */
export function tableTableJoin(node: TableTableJoinNode, step: Step): Operator {
  const { how, parents, id } = node
  const [left, right] = parents
  if (left === undefined || right === undefined) throw new Error(`the join ${node.name} lacks a table`)
  const join = joinerOf(node, step)
  const send = resultSender(node, step)
  const fromLeft = sideOf(node.name, step, send, {
    other: tableView(right, id, step),
    needsOther: how === 'inner',
    joinsAbsent: how === 'outer',
    join,
  })
  const fromRight = sideOf(node.name, step, send, {
    other: tableView(left, id, step),
    needsOther: how !== 'outer',
    joinsAbsent: how !== 'inner',
    join: (own, other, key) => join(other, own, key),
  })
  return { process: fromLeft, inputs: [fromLeft, fromRight] }
}

function sideOf(name: string, step: Step, send: Process, { other, needsOther, joinsAbsent, join }: Side): Process {
  const { sendsOld, context } = step
  return (key, value, old, timestamp) => {
    if (old === OUT_OF_ORDER) {
      skipped(context, name, 'out-of-order')
      return
    }
    const row = other.get(key)
    const before = old ?? null
    if (row === null && (needsOther || (value === null && before === null))) return
    const time = Math.max(timestamp, other.timestamp)
    const joins = joinsAbsent && row !== null
    const after = value !== null || joins ? join(value, row, key) : null
    const was = sendsOld && (before !== null || joins) ? join(before, row, key) : null
    send(key, after, sendsOld ? was : undefined, time)
  }
}
