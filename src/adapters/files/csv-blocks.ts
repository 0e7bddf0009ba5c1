import Papa from 'papaparse'
import { TidemarkError } from '../../core/errors.ts'
import { lineBlocks } from './line-blocks.ts'

/** Rows of a csv file. The header is the first row of the first block; a blank line is a row of one empty cell. */
export interface CsvBlock {
  readonly rows: readonly (readonly string[])[]
  /** The line on which a row of the block begins, from 1. */
  lineOf(row: number): number
  /** Bytes of the file, as it is stored, that have been read so far. */
  readonly bytesRead: number
}

const MOST_ROW_CHARACTERS = 16 * 1024 * 1024

/**
 * The rows of a csv file (RFC 4180: cells may be quoted, and then hold delimiters, ends of lines and doubled quotes),
 * plain or gzip. Throws as `lineBlocks` does, and BAD_DATA with the line for quotes that do not match.
 */
export async function* csvBlocks(path: string, delimiter = ','): AsyncGenerator<CsvBlock> {
  let parser: Papa.Parser | undefined
  // What follows the last complete row: a quoted cell may reach over any number of lines, and so of blocks.
  let rest = ''
  let restLine = 1
  let bytesRead = 0
  for await (const block of lineBlocks(path)) {
    parser ??= new Papa.Parser({ delimiter, newline: endOfLine(block.text), quoteChar: '"', escapeChar: '"' })
    const text = rest + block.text
    const { rows, length } = parse(parser, text, path, restLine, true)
    rest = text.slice(length)
    bytesRead = block.bytesRead
    const quoted = text.includes('"')
    const firstLine = restLine
    restLine = lineAfter(rows, rows.length, firstLine, quoted)
    if (rest.length > MOST_ROW_CHARACTERS) throw endlessQuotes(path, restLine)
    yield { rows, lineOf: (row) => lineAfter(rows, row, firstLine, quoted), bytesRead }
  }
  if (parser === undefined || rest === '') return
  const { rows } = parse(parser, rest, path, restLine, false)
  yield { rows, lineOf: (row) => lineAfter(rows, row, restLine, true), bytesRead }
}

interface Parsed {
  readonly rows: readonly (readonly string[])[]
  /** Characters of the text that the rows take. */
  readonly length: number
}

/** With `more`, the last row is left out unless its line has ended. */
function parse(parser: Papa.Parser, text: string, path: string, firstLine: number, more: boolean): Parsed {
  const parsed: Papa.ParseResult<string[]> = parser.parse(text, 0, more)
  const [error] = parsed.errors
  if (error !== undefined) throw endlessQuotes(path, lineAfter(parsed.data, error.row ?? 0, firstLine, true))
  return { rows: parsed.data, length: parsed.meta.cursor }
}

function endlessQuotes(path: string, line: number): TidemarkError {
  return new TidemarkError('BAD_DATA', `${path}:${line}: its quotes do not match`, {
    hint: 'Nothing was imported. A cell that begins with a quote ends with one; a quote inside it is written twice.',
  })
}

/** The line on which the row number `row` begins. Where cells are `quoted` they may reach over several. */
function lineAfter(rows: readonly (readonly string[])[], row: number, firstLine: number, quoted: boolean): number {
  let line = firstLine + row
  for (const cells of quoted ? rows.slice(0, row) : []) {
    for (const cell of cells) {
      for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) line++
    }
  }
  return line
}

function endOfLine(text: string): '\r\n' | '\n' {
  const end = text.indexOf('\n')
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n'
}
