import type { DiffReport } from '../../runtime/diff/diff-generation.ts'
import type { DifferentRow, StoreDiff } from '../../runtime/diff/store-diff.ts'
import { cellText } from './store-words.ts'
import { table } from './table.ts'
import { countInWords, countOf, timeInWords } from './words.ts'

/** How two generations compare: a line for each store, and below the rows that differ. */
export function diffInWords(report: DiffReport): string {
  const { job, live, generation, commit, stores, onlyLive, onlyOther } = report
  const head = `${job}: ${generation} beside ${live}, both at commit ${commit}: ${verdict(report)}`
  const only = (names: readonly string[], of: string) =>
    names.length === 0 ? [] : ['', `only ${of} has: ${names.join(', ')}`]
  const parts = [head, ...(stores.length === 0 ? [] : ['', summary(stores)]), ...only(onlyLive, live)]
  return [
    ...parts,
    ...only(onlyOther, generation),
    ...stores.flatMap((store) => samples(store, live, generation)),
  ].join('\n')
}

function verdict({ differing, onlyLive, onlyOther }: DiffReport): string {
  if (differing > 0) return `${countOf(differing, 'row differs', 'rows differ')}`
  return onlyLive.length + onlyOther.length > 0 ? 'the stores that both have are the same' : 'they are the same'
}

function summary(stores: readonly StoreDiff[]): string {
  const numbers = ['same', 'different', 'missing', 'extra', 'other timestamps']
  return table(
    [{ title: 'store' }, ...numbers.map((title) => ({ title, align: 'right' as const }))],
    stores.map(({ store, same, different, missing, extra, otherTimestamps }) => {
      return [store, ...[same, different, missing, extra, otherTimestamps].map(countInWords)]
    }),
  )
}

function samples(
  { store, samples: rows, missing, extra, different }: StoreDiff,
  live: string,
  other: string,
): string[] {
  if (rows.length === 0) return []
  const windowed = rows.some(({ start }) => start !== undefined)
  const titles = [store, ...(windowed ? ['start', 'end'] : []), '', live, other]
  const drawn = table(
    titles.map((title) => ({ title })),
    rows.map((row) => [
      cellText(row.key),
      ...(windowed ? window(row) : []),
      row.kind,
      shown(row, 'live'),
      shown(row, 'other'),
    ]),
  )
  const more = missing + extra + different - rows.length
  return ['', drawn, ...(more === 0 ? [] : [`and ${countInWords(more)} more`])]
}

function window({ start = 0, end }: DifferentRow): readonly string[] {
  return [timeInWords(start), end === undefined ? '' : timeInWords(end)]
}

function shown(row: DifferentRow, side: 'live' | 'other'): string {
  return side in row ? cellText(row[side]) : '-'
}
