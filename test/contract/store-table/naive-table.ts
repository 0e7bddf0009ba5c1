import type { RowRange, StoreRow, StoreShape } from '../../../src/ports/store-table.ts'

/** A store as one would write it on a blackboard: a list, and the definition of every call. */
export class NaiveTable {
  readonly shape: StoreShape
  rows: readonly StoreRow[] = []

  constructor(shape: StoreShape) {
    this.shape = shape
  }

  put(row: StoreRow): void {
    this.delete(row)
    this.rows = [...this.rows, row]
  }

  delete({ key, time, ordinal }: StoreRow): void {
    this.rows = this.rows.filter((row) => row.key !== key || row.time !== time || row.ordinal !== ordinal)
  }

  get({ key, time, ordinal }: StoreRow): StoreRow | undefined {
    return this.rows.find((row) => row.key === key && row.time === time && row.ordinal === ordinal)
  }

  expire(task: number, beforeTime: number): number {
    if (this.shape === 'key-value') return 0
    const left = this.rows.filter((row) => !(row.task === task && row.time < beforeTime))
    const removed = this.rows.length - left.length
    this.rows = left
    return removed
  }

  latestTime(task?: number): number {
    return Math.max(-1, ...this.rows.filter((row) => task === undefined || row.task === task).map((row) => row.time))
  }

  scan(range: RowRange): readonly StoreRow[] {
    const byTime = (range.order ?? (this.shape === 'window' ? 'time' : 'key')) === 'time'
    return this.rows
      .filter((row) => isIn(range, row))
      .toSorted((left, right) => {
        const byKey = Buffer.compare(Buffer.from(left.key, 'latin1'), Buffer.from(right.key, 'latin1'))
        const times = left.time - right.time
        return (byTime ? times || byKey : byKey || times) || left.ordinal - right.ordinal
      })
  }
}

function isIn({ fromKey, toKey, fromTime, toTime, task }: RowRange, row: StoreRow): boolean {
  const key = Buffer.from(row.key, 'latin1')
  if (fromKey !== undefined && key.compare(Buffer.from(fromKey, 'latin1')) < 0) return false
  if (toKey !== undefined && key.compare(Buffer.from(toKey, 'latin1')) >= 0) return false
  if (fromTime !== undefined && row.time < fromTime) return false
  if (toTime !== undefined && row.time >= toTime) return false
  return task === undefined || row.task === task
}
