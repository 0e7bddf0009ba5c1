import type { TopicDescription } from '../ports/log.ts'
import type { AskedBounds } from './asked-bounds.ts'
import { formatBound } from './bound.ts'
import { partitionsHeldByTime } from './held-partitions.ts'
import type { InputPartition } from './inputs.ts'
import { formatIsoTime } from './iso-time.ts'
import { listSome } from './list-some.ts'
import type { PlanRequest } from './plan-request.ts'
import { type PlannedEnd, readsWhole } from './resolve-end.ts'
import type { WantedStart } from './resolve-start.ts'
import type { SettledStarts } from './settle-starts.ts'
import { lateTables } from './table-times.ts'

/** What was found while a plan was made. */
export interface PlanFindings {
  readonly request: PlanRequest
  readonly asked: AskedBounds
  readonly topics: readonly TopicDescription[]
  readonly starts: readonly WantedStart[]
  readonly settled: SettledStarts
  readonly ends: readonly PlannedEnd[]
  readonly accepted: readonly string[]
}

/** How many records behind a held partition are looked at: enough to see a pile-up, and no plan reads a whole log. */
const MOST_RECORDS_BEHIND = 100_000

interface Ranged {
  readonly input: InputPartition
  readonly start: WantedStart
  readonly end: PlannedEnd
  readonly from: number
  readonly to: number
}

/** The sentences of a plan for people: what was cut, held, lost, or odd. Never more than a few, each with its numbers. */
export async function planNotices(findings: PlanFindings): Promise<readonly string[]> {
  const { request, asked, settled, accepted } = findings
  const ranges = rangesOf(findings)
  const empty = request.checkpoint === null
  return [
    ...accepted.map((topic) => `topic ${topic} is read anew, as asked: it is not the one that was read before`),
    ...acceptedInVain(findings),
    ...settled.notices,
    ...newPartitions(ranges),
    ...cutEnds(asked, ranges),
    ...heldStarts(asked, ranges),
    ...(await heldByTime(request, asked, ranges)),
    ...heldBack(ranges),
    ...wholeTables(findings, ranges),
    ...(empty ? await lateTables(request.log, ranges, request.isolation) : []),
    ...(empty && request.kind === 'range' ? compacted(findings) : []),
    ...request.exchanges.map((topic) => `topic ${topic} is passed on inside this job: nothing else may write there`),
  ]
}

function rangesOf({ starts, settled, ends }: PlanFindings): readonly Ranged[] {
  return starts.flatMap((start, index) => {
    const end = ends[index]
    const from = settled.from[index]
    return end === undefined || from === undefined ? [] : { input: start.input, start, end, from, to: end.to }
  })
}

function acceptedInVain({ request, accepted }: PlanFindings): readonly string[] {
  return request.acceptTopics
    .filter((topic) => !accepted.includes(topic))
    .map((topic) => `topic ${topic} is the one that was read before: there is nothing to accept`)
}

function newPartitions(ranges: readonly Ranged[]): readonly string[] {
  const found = ranges.filter(({ start }) => start.startedBy === 'new-partition').map(named)
  return found.length === 0 ? [] : [`new since the last run, read from their beginning: ${listSome(found)}`]
}

function cutEnds({ to }: AskedBounds, ranges: readonly Ranged[]): readonly string[] {
  const cut = ranges.filter(({ end }) => end.cut).map((range) => `${named(range)} ends at ${range.input.highWatermark}`)
  return cut.length === 0 ? [] : [`the end asked, ${formatBound(to)}, lies past the log and is cut: ${listSome(cut)}`]
}

function heldStarts({ to }: AskedBounds, ranges: readonly Ranged[]): readonly string[] {
  const held = ranges
    .filter(({ end }) => end.stays)
    .map((range) => `${named(range)} at ${range.from}, not ${range.end.asked}`)
  return held.length === 0
    ? []
    : [`the end asked, ${formatBound(to)}, lies before where these stand, and they stay: ${listSome(held)}`]
}

async function heldByTime(
  { log, isolation }: PlanRequest,
  { times }: AskedBounds,
  ranges: readonly Ranged[],
): Promise<readonly string[]> {
  const timestamp = times.to
  if (timestamp === null) return []
  const held = ranges
    .filter(({ from, end }) => end.asked <= from)
    .map(({ input, from, end }) => ({
      topic: input.topic,
      partition: input.partition,
      from,
      to: input.end,
      heldBy: end.asked,
    }))
  const named = await partitionsHeldByTime(log, held, timestamp, { isolation, mostRecords: MOST_RECORDS_BEHIND })
  return named.map(
    ({ topic, partition, from, heldBy }) =>
      `${topic}[${partition}] is held at ${from} by the record at ${heldBy}, which is past ${formatIsoTime(timestamp)}, ` +
      'though records before that time lie behind it (a maxFutureSkew policy passes over records from the future)',
  )
}

function heldBack(ranges: readonly Ranged[]): readonly string[] {
  const held = ranges.filter(({ end }) => end.heldBack > 0)
  if (held.length === 0) return []
  const total = held.reduce((sum, { end }) => sum + end.heldBack, 0)
  return [
    `${total} held back by open transactions: ${listSome(held.map((range) => `${named(range)} ${range.end.heldBack}`))}`,
  ]
}

function wholeTables({ request, asked }: PlanFindings, ranges: readonly Ranged[]): readonly string[] {
  const whole = ranges.filter(({ start }) => readsWhole(start, { kind: request.kind, to: asked.to }))
  const topics = [...new Set(whole.map(({ input }) => input.topic))]
  return topics.map(
    (topic) => `the table ${topic} is read to its end: ${formatBound(asked.to)} counts offsets of streams`,
  )
}

function compacted({ topics }: PlanFindings): readonly string[] {
  return topics
    .filter(({ settings }) =>
      (settings['cleanup.policy'] ?? '').split(',').some((policy) => policy.trim() === 'compact'),
    )
    .map(
      ({ name }) =>
        `topic ${name} is compacted: what compaction has removed is not seen, and newer rows may stand in its place`,
    )
}

function named({ input }: { readonly input: InputPartition }): string {
  return `${input.topic}[${input.partition}]`
}
