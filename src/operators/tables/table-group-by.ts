import type { ByteString } from '../../core/bytes.ts'
import { encodeKey } from '../../serde/serde.ts'
import type { TableGroupByNode } from '../../topology/nodes.ts'
import { givenPair } from '../given.ts'
import type { Operator } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import type { Step } from '../step.ts'

type Pair = readonly [key: unknown, value: unknown]

/**
 * Gives a table's changes their new keys. Where old and new row fall under one key (the same bytes) it is one change;
 * else the old group hears first. A null key or value leaves out that side only. Groups are of latest rows: what comes out
 * of order into a versioned table changes none.
 */
export function tableGroupBy(node: TableGroupByNode, step: Step): Operator {
  const { forward } = step
  const grouped = groupedRow(node, step)
  const keyBytes = groupKeyBytes(node, step)
  return {
    process: (key, value, old, timestamp) => {
      if (old === OUT_OF_ORDER) return
      const after = grouped(value, key)
      const before = grouped(old ?? null, key)
      if (before !== null && after !== null && keyBytes(before[0]) === keyBytes(after[0])) {
        forward(after[0], after[1], before[1], timestamp)
        return
      }
      if (before !== null) forward(before[0], null, before[1], timestamp)
      if (after !== null) forward(after[0], after[1], null, timestamp)
    },
  }
}

function groupedRow(node: TableGroupByNode, step: Step): (value: unknown, key: unknown) => Pair | null {
  const { running } = step.context
  const { id, mapper } = node
  return (value, key) => {
    if (value === null) return null
    running.step = id
    const pair = givenPair(mapper(value, key), 'the mapper')
    running.step = -1
    return pair[0] === null || pair[1] === null ? null : pair
  }
}

function groupKeyBytes(node: TableGroupByNode, step: Step): (key: unknown) => ByteString {
  const { running } = step.context
  return (key) => {
    running.step = node.id
    const bytes = encodeKey(node.key, key)
    running.step = -1
    return bytes
  }
}
