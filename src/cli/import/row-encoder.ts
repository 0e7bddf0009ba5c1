import { cellAs, textAsJson } from './cell-json.ts'
import { type ColumnType, type InferredType, inferCell, widen } from './cell-type.ts'

export interface ColumnSettings {
  /** Types that somebody gave, by column. */
  readonly types: ReadonlyMap<string, ColumnType>
  /** A cell with this text is null, in every column; an empty one always is. */
  readonly nullText: string | undefined
}

/** A column as the encoder sees it. */
export interface Column {
  readonly name: string
  readonly given: ColumnType | undefined
  /** The narrowest type of all cells seen so far that are not null; undefined while there are none. */
  inferred: InferredType | undefined
}

/**
 * Turns the rows of a csv file into JSON objects. Where a type was not given, a column has the narrowest one that all its
 * cells have; so rows may be encoded by a type that a later row widens. Then `widened` is true, and they are encoded
 * again, by an encoder that begins with the columns as they are now.
 */
export class RowEncoder {
  readonly columns: readonly Column[]
  /** True when a row did not fit the types by which earlier rows were encoded. */
  widened = false
  readonly #nullText: string | undefined
  readonly #prefixes: readonly string[]
  #encoded = false

  constructor(names: readonly string[], settings: ColumnSettings, known: readonly Column[] = []) {
    this.#nullText = settings.nullText
    this.columns = names.map((name, index) => ({
      name,
      given: settings.types.get(name),
      inferred: known[index]?.inferred,
    }))
    this.#prefixes = names.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  }

  isNull(cell: string): boolean {
    return cell === '' || cell === this.#nullText
  }

  /** Takes note of the types of a row without encoding it. The row has a cell for every column. */
  learn(cells: readonly string[]): void {
    for (const [index, column] of this.columns.entries()) {
      const cell = cells[index] ?? ''
      if (column.given !== undefined || column.inferred === 'string' || this.isNull(cell)) continue
      const wider = widen(column.inferred, inferCell(cell))
      // All but strings stand in JSON as they stand in the cell, whatever they are taken for; and while a column had no
      // type it had no cell to encode.
      if (wider === 'string' && column.inferred !== undefined && this.#encoded) this.widened = true
      column.inferred = wider
    }
  }

  /** The row as a JSON object, or what is wrong with it, as `{problem}`. Learns from it first. */
  encode(cells: readonly string[]): string | { readonly problem: string } {
    this.learn(cells)
    this.#encoded = true
    let json = ''
    for (let index = 0; index < this.columns.length; index++) {
      const column = this.columns[index] as Column
      const cell = cells[index] as string
      json += this.#prefixes[index]
      if (this.isNull(cell)) json += 'null'
      else if (column.given !== undefined) {
        const given = cellAs(column.given, cell)
        if (given === undefined) return { problem: notOfType(column.given, column.name, cell) }
        json += given
      } else json += column.inferred === 'string' ? textAsJson(cell) : cell
    }
    return `${json}}`
  }
}

function notOfType(type: ColumnType, column: string, cell: string): string {
  const shown = cell.length > 40 ? `${cell.slice(0, 40)}...` : cell
  const article = type === 'integer' ? 'an' : 'a'
  const what = type === 'json' ? 'JSON' : `${article} ${type}`
  return `${JSON.stringify(shown)} in column ${column} is not ${what}`
}
