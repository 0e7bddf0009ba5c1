import { TidemarkError } from '../../core/errors.ts'
import { countOf } from '../output/words.ts'
import type { BadRows } from './bad-rows.ts'
import type { ImportRequest } from './import-request.ts'
import type { RecordCollector } from './record-collector.ts'
import { type Column, RowEncoder } from './row-encoder.ts'
import { TimestampReader, type TimestampSource, timestampSource } from './row-timestamps.ts'

/** Rows of a csv file as the files adapter gives them. */
export interface CsvRows {
  readonly rows: readonly (readonly string[])[]
  lineOf(row: number): number
}

/** Turns the rows of one csv file into records: cells to JSON, key and timestamp out of their columns. */
export class CsvRecords {
  readonly timestamps: TimestampSource
  readonly #request: ImportRequest
  readonly #bad: BadRows
  readonly #encoder: RowEncoder
  readonly #keys: readonly number[]
  readonly #timestampColumn: number
  readonly #times = new TimestampReader()

  /** `known`: the columns as an earlier pass over the same file left them. Throws USAGE for columns that are not there. */
  constructor(header: readonly string[], request: ImportRequest, bad: BadRows, now: number, known?: readonly Column[]) {
    this.#request = request
    this.#bad = bad
    checkHeader(header, bad)
    for (const name of [...request.key, ...request.columns.types.keys()]) requireColumn(name, header)
    this.#keys = request.key.map((name) => header.indexOf(name))
    this.timestamps = timestampSource(request.timestamp, header, now)
    this.#timestampColumn = this.timestamps.from === 'column' ? header.indexOf(this.timestamps.column) : -1
    this.#encoder = new RowEncoder(header, request.columns, known)
  }

  get columns(): readonly Column[] {
    return this.#encoder.columns
  }

  /** True when rows were encoded by types that later rows have widened: the file has to be read again. */
  get widened(): boolean {
    return this.#encoder.widened
  }

  /** Looks at the rows to know the types of most columns before the first of them is encoded. */
  learn({ rows }: CsvRows): void {
    for (const cells of rows) if (cells.length === this.columns.length) this.#encoder.learn(cells)
  }

  /** Adds the rows as records, or takes note of what is wrong with them. Blank lines are no rows. */
  addTo(collector: RecordCollector, { rows, lineOf }: CsvRows): void {
    for (const [index, cells] of rows.entries()) {
      if (cells.length === 1 && cells[0] === '') continue
      const problem = this.#add(collector, cells)
      if (problem !== undefined) this.#bad.add(lineOf(index), problem)
    }
  }

  #add(collector: RecordCollector, cells: readonly string[]): string | undefined {
    if (cells.length !== this.columns.length)
      return `${countOf(cells.length, 'cell')}, and the header has ${this.columns.length}`
    if (this.widened) {
      this.#encoder.learn(cells)
      return undefined
    }
    const value = this.#encoder.encode(cells)
    if (typeof value !== 'string') return value.problem
    const timestamp = this.#timestampOf(cells)
    if (typeof timestamp === 'string') return timestamp
    const key = this.#keyOf(cells)
    if (key !== null && typeof key === 'object') return key.problem
    collector.add(key, timestamp, value)
    return undefined
  }

  /** Epoch ms, or what is wrong. */
  #timestampOf(cells: readonly string[]): number | string {
    if (this.timestamps.from !== 'column') return this.timestamps.timestamp
    const cell = cells[this.#timestampColumn] ?? ''
    const { column } = this.timestamps
    return this.#times.read(cell) ?? `${JSON.stringify(cell)} in column ${column} is not a time at or past 1970`
  }

  #keyOf(cells: readonly string[]): string | null | { readonly problem: string } {
    const [only] = this.#keys
    if (only === undefined) return null
    if (this.#keys.length === 1) {
      const cell = cells[only] ?? ''
      return this.#encoder.isNull(cell) ? null : cell
    }
    const { key: names, keySeparator } = this.#request
    const parts = this.#keys.map((index) => cells[index] ?? '')
    const wrong = parts.findIndex((part) => this.#encoder.isNull(part) || part.includes(keySeparator))
    if (wrong < 0) return parts.join(keySeparator)
    const part = parts[wrong] ?? ''
    if (this.#encoder.isNull(part)) return { problem: `the key's column ${names[wrong]} is empty` }
    return { problem: `the key's column ${names[wrong]} holds the separator ${keySeparator} (see --key-separator)` }
  }
}

function checkHeader(header: readonly string[], bad: BadRows): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  if (header.includes('')) bad.add(1, 'the header has a column without a name')
  else if (twice !== undefined) bad.add(1, `the header has the column ${twice} twice`)
  bad.throwIfAny()
}

function requireColumn(name: string, header: readonly string[]): void {
  if (header.includes(name)) return
  throw new TidemarkError('USAGE', `the file has no column ${JSON.stringify(name)}`, {
    hint: `Its columns are ${header.join(', ')}.`,
  })
}
