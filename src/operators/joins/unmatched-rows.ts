import type { KeyTimeRow, KeyTimeState } from '../state.ts'

/** A record that waits for a match, on the left (0) or the right (1). */
export interface UnmatchedRow {
  readonly side: 0 | 1
  readonly row: KeyTimeRow
}

/** The rows of both sides behind `after`, by time, right before left, key, arrival. Not to be written meanwhile. */
export function* unmatchedRows(
  left: KeyTimeState | undefined,
  right: KeyTimeState | undefined,
  after: UnmatchedRow | undefined,
): IterableIterator<UnmatchedRow> {
  const from = after?.row.time ?? 0
  const lefts = left?.scan(from, Number.POSITIVE_INFINITY)
  const rights = right?.scan(from, Number.POSITIVE_INFINITY)
  let one = next(0, lefts, after)
  let other = next(1, rights, after)
  while (one !== undefined || other !== undefined) {
    if (other !== undefined && (one === undefined || other.time <= one.time)) {
      yield { side: 1, row: other }
      other = next(1, rights, after)
    } else if (one !== undefined) {
      yield { side: 0, row: one }
      one = next(0, lefts, after)
    }
  }
}

function next(
  side: 0 | 1,
  rows: IterableIterator<KeyTimeRow> | undefined,
  after: UnmatchedRow | undefined,
): KeyTimeRow | undefined {
  if (rows === undefined) return undefined
  for (;;) {
    const { value, done } = rows.next()
    if (done === true) return undefined
    if (after === undefined || isBehind(side, value, after)) return value
  }
}

function isBehind(side: 0 | 1, row: KeyTimeRow, after: UnmatchedRow): boolean {
  const { time, key, ordinal } = after.row
  if (row.time !== time) return row.time > time
  if (side !== after.side) return side === 0
  return row.key > key || (row.key === key && row.ordinal > ordinal)
}
