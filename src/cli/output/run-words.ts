import type { RunRow } from '../../ports/history.ts'
import { totalCounts } from '../../runtime/counts.ts'
import { noticesInWords } from './plan-words.ts'
import { table } from './table.ts'
import { countInWords, countOf, timeInWords, tookInWords } from './words.ts'

/** What a run did, for people: a sentence, what was read, what came of it, and what is odd about it. */
export function runInWords(run: RunRow, outcome: 'ran' | 'covered' = 'ran'): string {
  if (outcome === 'covered') return `${run.job} (${run.generation}): this range is already covered; nothing was read`
  const lines = [headline(run)]
  const read = run.partitions.filter(({ from, to }) => to > from)
  if (read.length > 0) lines.push('', readTable(read))
  const came = outcomes(run)
  if (came.length > 0) lines.push('', ...came)
  return [...lines, ...noticesInWords(run.notices)].join('\n')
}

function headline(run: RunRow): string {
  const took = run.durationMs === null ? '' : ` in ${tookInWords(run.durationMs)}`
  const again = run.attempt > 1 ? `, attempt ${run.attempt}` : ''
  const name = `${run.job} (${run.generation}${again})`
  if (run.status === 'done' && run.slices === 0) return `${name}: nothing to do`
  const what = `${countOf(run.records, 'record')} in ${countOf(run.slices, 'slice')}`
  return `${name}: ${run.status}, ${what}${took}`
}

function readTable(partitions: RunRow['partitions']): string {
  const columns = [
    { title: 'topic' },
    { title: 'partition', align: 'right' },
    { title: 'from', align: 'right' },
    { title: 'to', align: 'right' },
    { title: 'records', align: 'right' },
  ] as const
  const rows = partitions.map(({ topic, partition, from, to, records }) => [
    topic,
    String(partition),
    countInWords(from),
    countInWords(to),
    countInWords(records),
  ])
  return table(columns, rows)
}

function outcomes(run: RunRow): string[] {
  const lines: string[] = []
  const total = totalCounts(run.steps)
  for (const [step, counts] of Object.entries(run.steps)) {
    if (counts.outputs !== undefined) lines.push(`wrote ${countOf(counts.outputs, 'record')} at ${step}`)
  }
  for (const { name, entries } of run.stores) lines.push(`store ${name} holds ${countOf(entries, 'row')}`)
  if (total.late > 0) {
    const windows = countOf(total.droppedWindows, 'window')
    lines.push(`${countOf(total.late, 'late record')} missed ${windows} (${byStep(run, (counts) => counts.late)})`)
  }
  if (total.skipped > 0) lines.push(`${countOf(total.skipped, 'record')} skipped (${skippedInWords(run)})`)
  if (total.deadLettered > 0) {
    lines.push(`${countOf(total.deadLettered, 'record')} went to the dead-letter topic`)
  }
  if (run.heldBack > 0) lines.push(`${countOf(run.heldBack, 'offset')} held back by open transactions`)
  if (run.streamTime !== null) {
    const by = run.streamTimeBy === null ? '' : ` (moved there by ${run.streamTimeBy})`
    lines.push(`stream time is ${timeInWords(run.streamTime)}${by}`)
  }
  return lines
}

function byStep(run: RunRow, count: (counts: RunRow['steps'][string]) => number | undefined): string {
  return Object.entries(run.steps)
    .filter(([, counts]) => (count(counts) ?? 0) > 0)
    .map(([step, counts]) => `${countInWords(count(counts) ?? 0)} at ${step}`)
    .join(', ')
}

function skippedInWords(run: RunRow): string {
  const reasons = Object.entries(run.steps).flatMap(([step, counts]) =>
    Object.entries(counts.skipped ?? {}).map(([reason, count]) => `${countInWords(count)} ${reason} at ${step}`),
  )
  return reasons.join(', ')
}
