import type { BackfillOutcome } from '../../runtime/backfill/backfill.ts'
import type { PlannedBackfill } from '../../runtime/backfill/backfill-request.ts'
import { noticesInWords } from './plan-words.ts'
import { table } from './table.ts'
import { countInWords, countOf, tookInWords } from './words.ts'

const MOST_PARTS = 20

/** A backfill that was planned, for people: what it will do, part by part, and how long that may take. */
export function plannedBackfillInWords(job: string, planned: PlannedBackfill): string {
  const { generation, parts, done, offsets, estimateMs, notices } = planned
  const goesOn = done > 0 ? `, ${countInWords(done)} of them done` : ''
  const head = `${job} (${generation}): ${countOf(parts.length, 'part')}${goesOn}, ${countOf(offsets, 'offset')} to read`
  const about = estimateMs === null ? 'no run tells how long that takes' : `about ${tookInWords(estimateMs)}`
  const shown = parts.slice(0, MOST_PARTS)
  const rows = shown.map(({ to, offsets: size, ranges }, index) => [
    String(index + 1),
    to,
    countInWords(size),
    index < done ? 'done' : 'to do',
    ranges
      .filter(({ from, to: end }) => from < end)
      .map(({ topic, partition, from, to: end }) => `${topic}[${partition}] ${countInWords(from)}-${countInWords(end)}`)
      .join('  '),
  ])
  const columns = [
    { title: 'part', align: 'right' },
    { title: 'to' },
    { title: 'offsets', align: 'right' },
    { title: 'state' },
    { title: 'ranges' },
  ] as const
  const more = parts.length > MOST_PARTS ? [`and ${countOf(parts.length - MOST_PARTS, 'more part', 'more parts')}`] : []
  return [`${head}; ${about}`, '', table(columns, rows), ...more, ...noticesInWords(notices)].join('\n')
}

/** What a backfill came to, for people. */
export function backfillInWords(job: string, { outcome, generation, parts, runs }: BackfillOutcome): string {
  if (outcome === 'covered') {
    return parts === 0
      ? `${job}: nothing is missing`
      : `${job} (${generation}): this backfill is done already; nothing was read`
  }
  const records = runs.reduce((sum, run) => sum + run.records, 0)
  const ms = runs.reduce((sum, run) => sum + (run.durationMs ?? 0), 0)
  const rate = ms > 0 ? `, ${countInWords(Math.round((records / ms) * 1000))} records/s` : ''
  return [
    `${job} (${generation}) is done: ${countOf(records, 'record')} in ${countOf(runs.length, 'run')} in ${tookInWords(ms)}${rate}`,
    `  look into it with --generation ${generation}: tidemark state ${job} STORE, runs ${job}, coverage ${job}`,
  ].join('\n')
}
