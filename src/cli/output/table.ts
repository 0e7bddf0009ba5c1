import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface Column {
  readonly title: string
  /** Numbers stand to the right. Default: left. */
  readonly align?: 'left' | 'right'
  /** A cell that says nothing; the column is left out where all cells are this. Default: the column is always there. */
  readonly idle?: string
}

const NO_LINES = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'],
  ].map((place) => [place, '']),
)

/** Rows under titles, aligned, without lines around them and without an end of line at the end. */
export function table(allColumns: readonly Column[], allRows: readonly (readonly string[])[]): string {
  const shown = allColumns.map(({ idle }, at) => idle === undefined || allRows.some((row) => row[at] !== idle))
  const columns = allColumns.filter((_, at) => shown[at])
  const rows = allRows.map((row) => row.filter((_, at) => shown[at]))
  // Loaded at first use: most commands print no table.
  const Table = require('cli-table3') as typeof import('cli-table3')
  const drawn = new Table({
    chars: { ...NO_LINES, middle: '  ' },
    colAligns: columns.map((column) => column.align ?? 'left'),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  drawn.push(
    columns.map((column) => column.title),
    ...rows,
  )
  const lines = drawn.toString().split('\n')
  return lines.map((line) => line.trimEnd()).join('\n')
}
