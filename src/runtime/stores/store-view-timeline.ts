import type { ByteString } from '../../core/bytes.ts'
import type { KeyTimeRow } from '../../operators/state.ts'

/** Where a row lies by time. */
export type RowPlace = Pick<KeyTimeRow, 'time' | 'key' | 'ordinal'>

/**
 * The rows of one task by time, key and ordinal, as far as they are held: all there are with `begin` <= time < `end`. So
 * what is looked for first again and again need not be asked of the file.
 */
export class Timeline {
  begin = 0
  end = 0
  #rows: KeyTimeRow[] = []

  get size(): number {
    return this.#rows.length
  }

  at(place: number): KeyTimeRow | undefined {
    return this.#rows[place]
  }

  covers(time: number): boolean {
    return time >= this.begin && time < this.end
  }

  /** The place of the first row at or past `time`. */
  placeOf(time: number): number {
    return this.#search(time, '', Number.NEGATIVE_INFINITY)
  }

  /** The place of the first row behind another one, which may be gone. */
  placeBehind({ time, key, ordinal }: RowPlace): number {
    return this.#search(time, key, ordinal + 1)
  }

  /** Puts a row whose time it covers, in the place of one with the same key, time and ordinal. */
  set(row: KeyTimeRow): void {
    const last = this.#rows.at(-1)
    if (last === undefined || isBefore(last, row.time, row.key, row.ordinal)) {
      this.#rows.push(row)
      return
    }
    const place = this.#search(row.time, row.key, row.ordinal)
    this.#rows.splice(place, isAt(this.#rows[place], row) ? 1 : 0, row)
  }

  delete(row: RowPlace): void {
    const place = this.#search(row.time, row.key, row.ordinal)
    if (!isAt(this.#rows[place], row)) return
    if (place === 0) this.#rows.shift()
    else this.#rows.splice(place, 1)
  }

  /** Holds nothing, from `time` on. */
  restart(time: number): void {
    this.#rows = []
    this.begin = time
    this.end = time
  }

  /** Forgets what is before `time`. */
  dropBefore(time: number): void {
    if (time <= this.begin) return
    this.#rows.splice(0, this.placeOf(time))
    this.begin = time
    if (this.end < time) this.end = time
  }

  /** Goes on behind its end with rows in order; `end` where there may be more. */
  append(rows: readonly KeyTimeRow[], end: number): void {
    for (const row of rows) if (row.time < end) this.#rows.push(row)
    this.end = end
  }

  /** Holds `rows` rows at the most: those behind them are forgotten. */
  limit(rows: number): void {
    const next = this.#rows[rows]
    if (next === undefined) return
    this.end = next.time
    this.#rows.length = this.placeOf(next.time)
  }

  #search(time: number, key: ByteString, ordinal: number): number {
    let low = 0
    let high = this.#rows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isBefore(this.#rows[middle] as KeyTimeRow, time, key, ordinal)) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isBefore(row: RowPlace, time: number, key: ByteString, ordinal: number): boolean {
  if (row.time !== time) return row.time < time
  return row.key < key || (row.key === key && row.ordinal < ordinal)
}

function isAt(row: RowPlace | undefined, { time, key, ordinal }: RowPlace): boolean {
  return row !== undefined && row.time === time && row.key === key && row.ordinal === ordinal
}
