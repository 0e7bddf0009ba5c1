import { parsePlan } from '../../planner/parse-plan.ts'
import type { RunRow, RunStatus } from '../../ports/history.ts'
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
  const again = run.attempt > 1 ? `, attempt ${run.attempt}` : ''
  const name = `${run.job} (${run.generation}${again})`
  if (run.trigger === 'reset') return `${name} was reset`
  if (run.status === 'done' && run.slices === 0) return `${name}: nothing to do`
  const took = run.durationMs === null ? '' : ` in ${tookInWords(run.durationMs)}`
  return `${name} ${BEGINNINGS[run.status]} ${countOf(run.records, 'record')} in ${countOf(run.slices, 'slice')}${took}`
}

const BEGINNINGS: Readonly<Record<RunStatus, string>> = {
  done: 'read',
  running: 'is running and has read',
  failed: 'failed after',
  interrupted: 'was stopped after',
  crashed: 'crashed after',
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
  const lines = [...writtenInWords(run), ...keptInWords(run)]
  const total = totalCounts(run.steps)
  if (total.late > 0) {
    const windows = total.droppedWindows === total.late ? '' : `, ${countOf(total.droppedWindows, 'window')} missed`
    lines.push(`late: ${countOf(total.late, 'record')}${windows} (${lateBySteps(run)})`)
  }
  if (total.unmatched > 0)
    lines.push(`without a row to join: ${countOf(total.unmatched, 'record')} (${unmatchedBySteps(run)})`)
  if (total.skipped > 0) lines.push(`skipped: ${countOf(total.skipped, 'record')} (${skippedInWords(run)})`)
  if (total.deadLettered > 0) lines.push(`dead letters: ${countOf(total.deadLettered, 'record')}`)
  if (run.heldBack > 0) lines.push(`held back by open transactions: ${countOf(run.heldBack, 'offset')}`)
  if (run.streamTime !== null) {
    lines.push(`stream time: ${timeInWords(run.streamTime)}${movedBy(run)}`)
  }
  return lines
}

/** Stream time is moved by records, and at the end of a range by request. */
function movedBy({ status, plan, streamTime, streamTimeBy }: RunRow): string {
  const asked = status === 'done' && plan !== '' ? parsePlan(plan) : null
  if (asked?.closeWindows) return '; every window that was open is closed, as asked'
  if (streamTime === asked?.advanceTo) return ', moved there as asked'
  return streamTimeBy === null ? '' : `; the last record that moved it: ${streamTimeBy}`
}

/** A sink's step has the name of its topic, up to the part that is made. */
function writtenInWords({ steps }: RunRow): readonly string[] {
  const byTopic = new Map<string, number>()
  for (const [step, { outputs = 0 }] of Object.entries(steps)) {
    const [topic = step] = step.split(':', 1)
    if (outputs > 0) byTopic.set(topic, (byTopic.get(topic) ?? 0) + outputs)
  }
  if (byTopic.size === 0) return []
  const sorted = [...byTopic].sort(([a], [b]) => (a < b ? -1 : 1))
  return [`wrote: ${sorted.map(([topic, count]) => `${countOf(count, 'record')} to ${topic}`).join(', ')}`]
}

function keptInWords({ stores }: RunRow): readonly string[] {
  if (stores.length === 0) return []
  return [`keeps: ${stores.map(({ name, entries }) => `${countOf(entries, 'row')} in ${name}`).join(', ')}`]
}

function lateBySteps({ steps }: RunRow): string {
  return bySteps(Object.entries(steps).map(([step, { late = 0 }]) => [step, late]))
}

function unmatchedBySteps({ steps }: RunRow): string {
  return bySteps(Object.entries(steps).map(([step, { unmatched = 0 }]) => [step, unmatched]))
}

/** Where something was counted, and how often where that was at several steps. */
function bySteps(counts: readonly (readonly [step: string, count: number])[]): string {
  const counted = counts.filter(([, count]) => count > 0)
  return counted
    .map(([step, count]) => (counted.length === 1 ? `at ${step}` : `${countInWords(count)} at ${step}`))
    .join(', ')
}

function skippedInWords(run: RunRow): string {
  const reasons = Object.entries(run.steps).flatMap(([step, counts]) =>
    Object.entries(counts.skipped ?? {}).map(([reason, count]) => `${countInWords(count)} ${reason} at ${step}`),
  )
  return reasons.join(', ')
}
