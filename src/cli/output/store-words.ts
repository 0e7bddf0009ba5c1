import type { StoreEntry } from '../../runtime/stores/store-reader.ts'
import { writeJson } from '../../serde/json/write-json.ts'
import { jsonDocument } from './json.ts'
import { partsOf } from './parts.ts'
import { table } from './table.ts'
import { isoTime, timeInWords } from './words.ts'

/** Rows of a store as a table, as CSV (RFC 4180, with a header), or as a JSON line each. */
export function storeRowsInWords(rows: readonly StoreEntry[], format: string): string {
  if (format === 'json') return rows.map((row) => jsonDocument(row, false)).join('')
  const windowed = rows.some(({ start }) => start !== undefined)
  const titles = windowed ? ['key', 'start', 'end', 'value', 'timestamp'] : ['key', 'value', 'timestamp']
  const time = format === 'csv' ? isoTime : timeInWords
  const cells = rows.map((row) => {
    const window = windowed ? [time(row.start ?? 0), time(row.end ?? 0)] : []
    return [cellText(row.key), ...window, cellText(row.value), time(row.timestamp)]
  })
  if (format === 'csv') return [titles, ...cells].map((row) => row.map(csvCell).join(',')).join('\n')
  if (rows.length === 0) return 'no rows'
  return table(
    titles.map((title) => ({ title })),
    cells,
  )
}

/** As `storeRowsInWords`, with an end of line, in parts: a table of more rows than a part has is several tables. */
export function* storeRowsInParts(rows: Iterable<StoreEntry>, format: string): Generator<string> {
  let parts = 0
  for (const part of partsOf(rows)) {
    const text = storeRowsInWords(part, format)
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`
    if (parts++ === 0 || format === 'json') yield whole
    else yield format === 'csv' ? whole.slice(whole.indexOf('\n') + 1) : `\n${whole}`
  }
}

/** The document of `--json`, on one line, in parts. */
export function* storeDocumentInParts(job: string, store: string, rows: Iterable<StoreEntry>): Generator<string> {
  yield `{"job":${JSON.stringify(job)},"store":${JSON.stringify(store)},"rows":[`
  let before = ''
  for (const part of partsOf(rows)) {
    if (part.length === 0) continue
    yield before + part.map((row) => jsonDocument(row, false).trimEnd()).join(',')
    before = ','
  }
  yield ']}\n'
}

/** Texts as they are, bytes in base64, everything else as JSON with integers of any length. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value === undefined ? '' : writeJson(value, true)
}

function csvCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
