import type { ByteString } from '../../core/bytes.ts'
import type { SubscriptionAnswer } from '../../serde/foreign-key/subscription-answer.ts'
import { decodeKey } from '../../serde/serde.ts'
import type { ForeignKeyJoinNode } from '../../topology/nodes.ts'
import type { Operator } from '../operator.ts'
import { resultSender } from '../result-sender.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { tableView } from '../tables/table-view.ts'
import { joinerOf } from './joiner.ts'
import { valueHashOf } from './value-hash.ts'

/**
 * The end of a foreign-key join: joins each answer with the left row that has asked, as it is now. An answer to a value
 * that the row no longer has is skipped and counted: another one is on its way. Where there is no right row, an inner
 * join's result is a delete.
 */
export function foreignKeyJoin(node: ForeignKeyJoinNode, step: Step): Operator {
  const { context, sendsOld } = step
  const [, left] = node.parents
  if (left === undefined) throw new Error(`the join ${node.name} has no left table`)
  const rows = tableView(left, node.id, step)
  const hashOf = valueHashOf(node.id, step, node.leftValue)
  const join = joinerOf(node, step)
  const send = resultSender(node, step)
  const results = node.store === null ? null : context.keyValue(node.store.name)
  return {
    process: (bytes, answered, _old, timestamp) => {
      const { hash, value } = answered as SubscriptionAnswer
      const key = decodeKey(node.leftKey, bytes as ByteString)
      const row = rows.get(key)
      if (hashOf(row) !== hash) {
        skipped(context, node.name, 'stale')
        return
      }
      const joins = row !== null && (value !== null || node.left)
      const old = sendsOld ? (results?.get(bytes as ByteString)?.value ?? null) : undefined
      send(key, joins ? join(row, value, key) : null, old, timestamp)
    },
  }
}
