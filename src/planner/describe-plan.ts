import { unreachable } from '../core/errors.ts'
import { thousands } from '../core/thousands.ts'
import type { Bound } from './bound.ts'
import { formatIsoTime } from './iso-time.ts'
import { parseBound } from './parse-bound.ts'
import type { Plan, StartedBy } from './plan-types.ts'

/** A partition of a plan, as a row for people. */
export interface PlanRow {
  readonly topic: string
  readonly partition: number
  readonly role: 'table' | 'stream'
  readonly from: number
  readonly to: number
  /** Offsets in the range; records may be fewer, since markers and compacted holes have offsets too. */
  readonly offsets: number
  /** Why it starts there, in a few words. */
  readonly starts: string
}

export interface PlanDescription {
  /** What is read, and what each bound resolved to. */
  readonly sentences: readonly string[]
  readonly rows: readonly PlanRow[]
  /** What was cut, held, lost or odd. */
  readonly notices: readonly string[]
}

/** A plan in words and rows: the same for `tidemark plan` and for the report of a run. */
export function describePlan(plan: Plan): PlanDescription {
  const rows = plan.partitions.map(({ topic, partition, role, from, to, startedBy }) => {
    return { topic, partition, role, from, to, offsets: to - from, starts: STARTS[startedBy] }
  })
  const offsets = rows.reduce((sum, row) => sum + row.offsets, 0)
  const topics = new Set(rows.map((row) => row.topic)).size
  const { from, to } = plan.asked
  return {
    sentences: [
      `${plan.job} (${plan.generation}) reads ${counted(offsets, 'offset')} of ${counted(rows.length, 'partition')} in ${counted(topics, 'topic')}`,
      `from ${from}: ${startMeans(parseBound(from, '--from'), plan.times.from)}`,
      `to ${to}: ${endMeans(parseBound(to, '--to'), plan)}`,
      ...(plan.advanceTo === null ? [] : [`at the end stream time moves to ${formatIsoTime(plan.advanceTo)}`]),
      ...(plan.closeWindows ? ['at the end every open window is closed'] : []),
    ],
    rows,
    notices: plan.notices,
  }
}

const STARTS: Readonly<Record<StartedBy, string>> = {
  checkpoint: 'checkpoint',
  from: 'asked',
  start: "first run: the job's start",
  'log-start': 'first run: the log start',
  'new-partition': 'new partition',
  accepted: 'accepted anew',
  history: 'history',
}

function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`
}

function startMeans(bound: Bound, time: number | null): string {
  switch (bound.kind) {
    case 'checkpoint':
      return 'where the run before stopped'
    case 'earliest':
      return 'the first offset that is there; tables from their log start'
    case 'latest':
      return 'where the log ended; tables from their log start'
    case 'count':
      return 'that many offsets past the log start; tables from their log start'
    case 'offset':
      return 'this offset in every stream partition; tables from their log start'
    case 'offsets':
      return 'these offsets; tables from their log start'
    case 'timestamp':
    case 'duration':
      return `the first record at or past ${timeText(time)}; tables from their log start`
    default:
      return unreachable(bound, 'this bound')
  }
}

function endMeans(bound: Bound, { isolation, times }: Plan): string {
  const end = isolation === 'read_committed' ? 'last stable offset' : 'high watermark'
  switch (bound.kind) {
    case 'checkpoint':
      return "the live generation's checkpoint"
    case 'earliest':
      return 'the first offset that is there'
    case 'latest':
      return `the ${end} when the plan was made`
    case 'count':
      return 'that many offsets from the start'
    case 'offset':
      return 'this offset in every partition'
    case 'offsets':
      return 'these offsets'
    case 'timestamp':
    case 'duration':
      return `the first record at or past ${timeText(times.to)}, else the ${end} when the plan was made`
    default:
      return unreachable(bound, 'this bound')
  }
}

function timeText(time: number | null): string {
  return time === null ? 'that time' : formatIsoTime(time)
}
