import { table } from '../output/table.ts'
import { countInWords, countOf, isoTimeInWords, tookInWords } from '../output/words.ts'
import type { ImportReport } from './import-report.ts'

/** What an import did, for people. */
export function importInWords(report: ImportReport): string {
  if (!report.imported) return report.notices.join('\n')
  const { topic, created, file, rows, durationMs, rowsPerSecond, partitions } = report
  const into = `${topic} (${created ? 'new, ' : ''}${countOf(partitions.length, 'partition')})`
  const speed = rows >= 1000 ? `, ${countInWords(rowsPerSecond)} rows/s` : ''
  const lines = [`Imported ${countOf(rows, 'row')} of ${file} into ${into} in ${tookInWords(durationMs)}${speed}.`]
  lines.push(...details(report).map(([label, text]) => `  ${label.padEnd(10)} ${hanging(text)}`))
  lines.push(...report.notices.map((notice) => `  ${notice}`))
  if (partitions.length > 1 && rows > 0) lines.push('', partitionTable(report))
  return lines.join('\n')
}

function details({ key, timestamps, columns }: ImportReport): readonly (readonly [string, string])[] {
  const details: (readonly [string, string])[] = []
  if (key.length > 0) details.push(['keys', `from ${key.join(', ')}`])
  const { from, first, last } = timestamps
  if (first !== null && last !== null) {
    const span = first === last ? isoTimeInWords(first) : `${isoTimeInWords(first)} to ${isoTimeInWords(last)}`
    details.push(['timestamps', from === 'clock' || from === 'time' ? span : `from ${from}: ${span}`])
  }
  for (const [type, names] of columnsByType(columns)) details.push([type, names.join(', ')])
  return details
}

/** Long lists go on below their beginning. */
function hanging(text: string): string {
  return text.replaceAll(/(?=\S)(.{1,64})(?: |$)/g, `$1\n${' '.repeat(13)}`).trimEnd()
}

function columnsByType(columns: ImportReport['columns']): ReadonlyMap<string, readonly string[]> {
  const byType = new Map<string, string[]>()
  for (const { name, type } of columns) {
    const label = type ?? 'all null'
    byType.set(label, [...(byType.get(label) ?? []), name])
  }
  return byType
}

function partitionTable({ partitions }: ImportReport): string {
  return table(
    ['partition', 'rows', 'end'].map((title) => ({ title, align: 'right' as const })),
    partitions.map(({ partition, rows, end }) => [String(partition), countInWords(rows), countInWords(end)]),
  )
}
