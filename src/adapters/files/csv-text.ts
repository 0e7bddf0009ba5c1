import Papa from 'papaparse'

/** Rows as csv text with an end of line after each: cells are quoted where they need it (RFC 4180, but with `\n`). */
export function csvText(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  return `${Papa.unparse(rows as string[][], { newline: '\n' })}\n`
}
