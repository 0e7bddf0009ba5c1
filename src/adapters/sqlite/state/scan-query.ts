import { fromByteString } from '../../../core/bytes.ts'
import type { RowRange, StoreRow, StoreShape } from '../../../ports/store-table.ts'
import { type KeyColumn, PRIMARY_KEY, type StoreLayout } from './store-sql.ts'

/** The statement that reads the next rows of a scan: (key, time, ordinal, value, timestamp, task). */
export interface ScanPage {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/**
 * A scan as statements that each read one page, written so that SQLite seeks: a key or a time of which the range allows
 * one value is an equation, the next column of the order is the one with bounds, and from the second page on its lower
 * bound is the last row. `INDEXED BY` and the `+` before the other columns keep SQLite from another index, and sorting.
 */
export class ScanQuery {
  readonly #layout: StoreLayout
  readonly #shape: StoreShape
  readonly #range: RowRange
  readonly #fixed: readonly KeyColumn[]
  /** The columns that still order the rows. */
  readonly #loose: readonly KeyColumn[]

  constructor(layout: StoreLayout, range: RowRange) {
    const { shape } = layout
    this.#layout = layout
    this.#shape = shape
    this.#range = range
    const hasTime = PRIMARY_KEY[shape].includes('time')
    const oneKey = range.fromKey !== undefined && range.toKey === `${range.fromKey}\0`
    const oneTime = hasTime && range.fromTime !== undefined && range.toTime === range.fromTime + 1
    this.#fixed = [...(oneKey ? (['key'] as const) : []), ...(oneTime ? (['time'] as const) : [])]
    this.#loose = orderOf(shape, range.order).filter((column) => !this.#fixed.includes(column))
  }

  /** True where the rows do not lie in that order: each page then costs a look at all of them. */
  get sorts(): boolean {
    return this.#shape === 'window' && this.#loose[0] === 'key' && !this.#fixed.includes('time')
  }

  /** The page of `limit` rows after `last`, or the first one. Undefined where there can be none. */
  page(last: StoreRow | undefined, limit: number): ScanPage | undefined {
    if (last !== undefined && this.#loose.length === 0) return undefined
    const where: string[] = []
    const parameters: unknown[] = []
    const add = (condition: string, ...values: readonly unknown[]): void => {
      where.push(condition)
      parameters.push(...values)
    }
    const { fromKey, toKey, fromTime, toTime, task } = this.#range
    if (PRIMARY_KEY[this.#shape].includes('time')) this.#bound(add, 'time', fromTime, toTime, last)
    else if ((fromTime ?? 0) > 0 || (toTime ?? 1) <= 0) return undefined
    this.#bound(add, 'key', bytesOf(fromKey), bytesOf(toKey), last)
    if (task !== undefined) add('task = ?', task)
    if (last !== undefined) {
      const values = this.#loose.map((column) => (column === 'key' ? bytesOf(last.key) : last[column]))
      add(`(${this.#loose.join(', ')}) > (${values.map(() => '?').join(', ')})`, ...values)
    }
    return { sql: this.#select(where), parameters: [...parameters, limit] }
  }

  #bound(
    add: (condition: string, value: unknown) => void,
    column: KeyColumn,
    from: unknown,
    to: unknown,
    last: StoreRow | undefined,
  ): void {
    if (this.#fixed.includes(column)) {
      add(`${column} = ?`, from)
      return
    }
    const leads = this.#loose[0] === column
    const name = leads ? column : `+${column}`
    if (from !== undefined && !(leads && last !== undefined)) add(`${name} >= ?`, from)
    if (to !== undefined) add(`${name} < ?`, to)
  }

  #from(): string {
    const { table, timeIndex } = this.#layout
    const byTime = this.#fixed.includes('time') || this.#loose[0] === 'time'
    const indexed = this.#shape === 'key-time' && byTime && !this.#fixed.includes('key')
    return indexed ? `${table} INDEXED BY ${timeIndex}` : table
  }

  #select(where: readonly string[]): string {
    const key = PRIMARY_KEY[this.#shape]
    const columns = `key, ${key.includes('time') ? 'time' : '0'}, ${key.includes('ordinal') ? 'ordinal' : '0'}`
    const filter = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`
    const order = this.#loose.length === 0 ? '' : ` ORDER BY ${this.#loose.join(', ')}`
    return `SELECT ${columns}, value, timestamp, task FROM ${this.#from()}${filter}${order} LIMIT ?`
  }
}

function orderOf(shape: StoreShape, order: RowRange['order']): readonly KeyColumn[] {
  if (order === 'time' && shape === 'key-time') return ['time', 'key', 'ordinal']
  if (order === 'key' && shape === 'window') return ['key', 'time']
  return PRIMARY_KEY[shape]
}

function bytesOf(key: string | undefined): Uint8Array | undefined {
  return key === undefined ? undefined : fromByteString(key)
}
