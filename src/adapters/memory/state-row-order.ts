import type { ByteString } from '../../core/bytes.ts'
import type { RowRange, StoreShape } from '../../ports/store-table.ts'

/** What identifies a row. Byte strings compare as their bytes do. */
export interface RowKey {
  readonly key: ByteString
  readonly time: number
  readonly ordinal: number
}

/** The order of a scan: below 0 where `left` comes first. */
export function rowOrder(shape: StoreShape, order: RowRange['order']): (left: RowKey, right: RowKey) => number {
  const byTime = order === undefined ? shape === 'window' : order === 'time'
  return byTime ? compareByTime : compareByKey
}

function compareByKey(left: RowKey, right: RowKey): number {
  if (left.key !== right.key) return left.key < right.key ? -1 : 1
  return left.time - right.time || left.ordinal - right.ordinal
}

function compareByTime(left: RowKey, right: RowKey): number {
  if (left.time !== right.time) return left.time - right.time
  if (left.key !== right.key) return left.key < right.key ? -1 : 1
  return left.ordinal - right.ordinal
}
