import type { Instruction, Subscription } from '../../serde/foreign-key/subscription.ts'
import { encodeKey } from '../../serde/serde.ts'
import type { ForeignKeySubscribeNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import { given } from '../given.ts'
import type { Operator } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { valueHashOf } from './value-hash.ts'

/**
 * The left side of a foreign-key join: tells the right row of each foreign key which left rows ask for it. Where the
 * foreign key of a row changes, the old one forgets the row first. An inner join leaves out rows without a foreign key, and
 * counts them; a left join has them answered with null.
 */
export function foreignKeySubscribe(node: ForeignKeySubscribeNode, step: Step): Operator {
  const { context } = step
  const { name } = node
  const keyBytes = keyBytesOf(node.id, step, node.leftKey)
  const hashOf = valueHashOf(node.id, step, node.leftValue)
  const foreignKeyOf = foreignKeyOfRow(node, step)
  const subscribe = node.left ? leftSubscriber(node, step) : innerSubscriber(node, step)
  return {
    process: (key, value, old, timestamp) => {
      if (old === OUT_OF_ORDER) {
        skipped(context, name, 'out-of-order')
        return
      }
      const before = old ?? null
      const bytes = keyBytes(key)
      const hash = hashOf(value)
      const send: Send = (foreignKey, instruction) => {
        const subscription: Subscription = { instruction, hash, key: bytes }
        step.forward(foreignKey, subscription, undefined, timestamp)
      }
      subscribe(before, foreignKeyOf(before, key), value, foreignKeyOf(value, key), send)
    },
  }
}

type Send = (foreignKey: unknown, instruction: Instruction) => void

type Subscriber = (before: unknown, oldKey: unknown, value: unknown, newKey: unknown, send: Send) => void

function leftSubscriber(node: ForeignKeySubscribeNode, step: Step): Subscriber {
  const same = sameKey(node, step)
  return (before, oldKey, value, newKey, send) => {
    if (before === null && value === null) return
    if (oldKey !== null && !same(oldKey, newKey)) send(oldKey, 'forget')
    send(newKey, 'answer')
  }
}

function innerSubscriber(node: ForeignKeySubscribeNode, step: Step): Subscriber {
  const same = sameKey(node, step)
  return (before, oldKey, value, newKey, send) => {
    if (before === null && value === null) return
    if (oldKey === null && newKey === null) skipped(step.context, node.name, 'null-foreign-key')
    else if (oldKey === null) send(newKey, 'answer-if-there')
    else if (newKey === null) send(oldKey, 'forget-and-answer')
    else if (same(oldKey, newKey)) send(newKey, 'answer-if-there')
    else {
      send(oldKey, 'forget')
      send(newKey, 'answer')
    }
  }
}

function foreignKeyOfRow(node: ForeignKeySubscribeNode, step: Step): (value: unknown, key: unknown) => unknown {
  const { running } = step.context
  const { id, foreignKey } = node
  return (value, key) => {
    if (value === null) return null
    running.step = id
    const found = given(foreignKey(value, key), 'the foreign key')
    running.step = -1
    return found
  }
}

/** Whether two foreign keys, of which the first is not null, are the same bytes. */
function sameKey({ id, key }: ForeignKeySubscribeNode, step: Step): (one: unknown, other: unknown) => boolean {
  const { running } = step.context
  return (one, other) => {
    if (other === null) return false
    running.step = id
    const same = encodeKey(key, one) === encodeKey(key, other)
    running.step = -1
    return same
  }
}
