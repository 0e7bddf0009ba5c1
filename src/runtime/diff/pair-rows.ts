import type { RowRange, StoreRow, StoreShape, StoreTable } from '../../ports/store-table.ts'

/** The rows of one address in two tables; null where one has none. */
export interface RowPair {
  readonly left: StoreRow | null
  readonly right: StoreRow | null
}

/** Goes through two tables of one shape at once, in their order. Holds one row of each. */
export function* pairRows(left: StoreTable, right: StoreTable, range: RowRange = {}): Generator<RowPair> {
  const lefts = left.scan(range)
  const rights = right.scan(range)
  let one = lefts.next()
  let other = rights.next()
  while (one.done !== true || other.done !== true) {
    const order = one.done === true ? 1 : other.done === true ? -1 : compare(left.shape, one.value, other.value)
    yield { left: order <= 0 ? (one.value as StoreRow) : null, right: order >= 0 ? (other.value as StoreRow) : null }
    if (order <= 0) one = lefts.next()
    if (order >= 0) other = rights.next()
  }
}

/** The order of the shape's primary key. */
function compare(shape: StoreShape, left: StoreRow, right: StoreRow): number {
  const byKey = left.key < right.key ? -1 : left.key > right.key ? 1 : 0
  switch (shape) {
    case 'key-value':
      return byKey
    case 'window':
      return left.time - right.time || byKey
    case 'key-time':
      return byKey || left.time - right.time || left.ordinal - right.ordinal
  }
}
