import { combinedKey, foreignPrefix, keyOfCombined } from '../../serde/foreign-key/combined-key.ts'
import type { Subscription } from '../../serde/foreign-key/subscription.ts'
import type { ForeignKeyLookupNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { tableView } from '../tables/table-view.ts'

/**
 * The right side of a foreign-key join: remembers which left rows ask for which right row. A question is answered with
 * the row and the later time of both; a change of the row goes to all who ask for it, by their keys, with its own time.
 */
export function foreignKeyLookup(node: ForeignKeyLookupNode, step: Step): Operator {
  const { context, forward } = step
  const [, right] = node.parents
  if (right === undefined) throw new Error(`the join ${node.name} has no right table`)
  const rows = tableView(right, node.id, step)
  const subscriptions = context.keyValue(node.store.name)
  const keyBytes = keyBytesOf(node.id, step, node.key)
  return { process: ask, inputs: [ask, change] }

  function ask(foreignKey: unknown, asked: unknown, _old: unknown, timestamp: number): void {
    const { instruction, hash, key } = asked as Subscription
    if (foreignKey !== null) {
      const combined = combinedKey(keyBytes(foreignKey), key)
      if (instruction === 'forget' || instruction === 'forget-and-answer') subscriptions.delete(combined)
      else subscriptions.put(combined, hash, timestamp)
    }
    if (instruction === 'forget') return
    const row = foreignKey === null ? null : rows.get(foreignKey)
    const time = row === null ? timestamp : Math.max(timestamp, rows.timestamp)
    if (instruction === 'forget-and-answer') forward(key, { hash, value: null }, undefined, time)
    else if (instruction === 'answer' || row !== null) forward(key, { hash, value: row }, undefined, time)
  }

  function change(foreignKey: unknown, value: unknown, old: unknown, timestamp: number): void {
    if (old === OUT_OF_ORDER) {
      skipped(context, node.name, 'out-of-order')
      return
    }
    for (const { key, value: hash } of subscriptions.group(foreignPrefix(keyBytes(foreignKey)))) {
      forward(keyOfCombined(key), { hash, value }, undefined, timestamp)
    }
  }
}
