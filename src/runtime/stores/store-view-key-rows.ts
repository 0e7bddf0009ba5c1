import { ABSENT } from './store-view-entry.ts'
import type { CachedRow } from './store-view-row.ts'

/** The rows of one key that the write-behind holds, by time and ordinal: all there are from `from` on, and none before. */
export class KeyRows {
  from = Number.POSITIVE_INFINITY
  rows: CachedRow[] = []

  /** The place of the first row at or past (time, ordinal). */
  placeOf(time: number, ordinal: number): number {
    const { rows } = this
    let low = 0
    let high = rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const row = rows[middle] as CachedRow
      if (row.time < time || (row.time === time && row.ordinal < ordinal)) low = middle + 1
      else high = middle
    }
    return low
  }

  get(time: number, ordinal: number): CachedRow | undefined {
    const row = this.rows[this.placeOf(time, ordinal)]
    return row !== undefined && row.time === time && row.ordinal === ordinal ? row : undefined
  }

  add(row: CachedRow): void {
    const place = this.placeOf(row.time, row.ordinal)
    if (place === this.rows.length) this.rows.push(row)
    else this.rows.splice(place, 0, row)
  }

  /** Forgets the rows before `from`; to be called while all are clean. */
  trim(from: number): void {
    if (from <= this.from) return
    this.rows.splice(0, this.placeOf(from, Number.NEGATIVE_INFINITY))
    this.from = from
  }

  /** Forgets the rows that are deleted; to be called while all are clean. */
  sweep(): void {
    if (this.rows.some(({ value }) => value === ABSENT)) this.rows = this.rows.filter(({ value }) => value !== ABSENT)
  }
}
