import type { Pause, SlotCause, SlotRow, SlotState, Timetable } from '../ports/schedule-table.ts'
import { cronExpression } from '../topology/cron/cron-expression.ts'
import { ON_TIME_MS } from '../topology/schedule-settings.ts'
import { jitter } from './jitter.ts'
import { nextSlot } from './next-slot.ts'
import { rowsOfSlots } from './rows-of-slots.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import { slotsBetween } from './slots-between.ts'

/** What was so before: nothing of it is the clock's. */
export interface SlotHistory {
  /** Null where no scheduler had the job before. */
  readonly timetable: Timetable | null
  readonly pause: Pause | null
  /** A run of the job is under way. */
  readonly running: boolean
}

export interface SlotDecision {
  readonly timetable: Timetable
  /** The slots that have come since, oldest first. */
  readonly slots: readonly SlotRow[]
  /** The timetable or the slots are to be written. */
  readonly changed: boolean
  /** The first slot that has not been decided on, epoch ms; null where none comes any more. It may be past, and settle. */
  readonly next: number | null
  /** When that one is to be decided on. */
  readonly nextAt: number | null
}

/**
 * Decides on the slots that have come up to `now`, once and for all: each gets a row that says why it starts a run or
 * none. There are none before the first start, none twice where the clock goes back, and those of a schedule that was
 * changed meanwhile count up to now. Depends on nothing but its arguments.
 */
export function dueSlots(history: SlotHistory, job: ScheduledJob, now: number): SlotDecision {
  const { schedule, timezone } = job.settings
  if (schedule === null) throw new Error(`${job.name} has no schedule`)
  const { timetable } = history
  if (timetable === null) {
    const begun = { expression: schedule, timezone, since: now, decidedTo: now }
    return { timetable: begun, slots: [], changed: true, ...nextAfter(begun, job) }
  }
  const changed = timetable.expression !== schedule || timetable.timezone !== timezone
  const slots = passed(timetable, job, now, changed)
  const rows = rowsOfSlots(slots, (slot) => fate(history, job, now, slot, slots.last ?? slot))
  const decidedTo = changed ? Math.max(timetable.decidedTo, now + 1) : (slots.last ?? timetable.decidedTo - 1) + 1
  const then = { expression: schedule, timezone, since: timetable.since, decidedTo }
  const decided = rows.map((row) => ({ ...row, decidedAt: now, runId: null }))
  return { timetable: then, slots: decided, changed: changed || rows.length > 0, ...nextAfter(then, job) }
}

/** The slots that are due and not decided on. They can be gone through more than once. */
interface PassedSlots extends Iterable<number> {
  readonly last: number | null
}

function passed(timetable: Timetable, job: ScheduledJob, now: number, changed: boolean): PassedSlots {
  const { startDate, endDate } = job.settings
  const expression = cronExpression(timetable.expression)
  const from = Math.max(timetable.decidedTo, startDate ?? 0)
  const to = Math.min(now + 1, endDate ?? now + 1)
  function* each(): Generator<number> {
    for (const slot of slotsBetween(expression, timetable.timezone, from, to)) {
      // What was waiting to settle under a schedule that is gone is not waited for.
      if (!changed && dueAt(job, slot) > now) return
      yield slot
    }
  }
  let last: number | null = null
  for (const slot of each()) last = slot
  return { last, [Symbol.iterator]: each }
}

function dueAt({ name, settings }: ScheduledJob, slot: number): number {
  return slot + settings.settleMs + jitter(name, slot, settings.jitterMs)
}

/** What becomes of a slot, of which `last` is the newest one that was found with it. */
function fate(
  { pause, running }: SlotHistory,
  job: ScheduledJob,
  now: number,
  slot: number,
  last: number,
): { readonly cause: SlotCause; readonly state: SlotState } {
  const { overlap, missedWithinMs } = job.settings
  if (pause !== null && slot >= pause.since && (pause.until === null || slot < pause.until)) {
    return { cause: 'paused', state: 'skipped' }
  }
  if (running) return { cause: 'overlap', state: overlap === 'skip' ? 'skipped' : 'due' }
  const lateMs = now - dueAt(job, last)
  if (slot === last && lateMs <= ON_TIME_MS) return { cause: 'scheduled', state: 'due' }
  return { cause: 'missed', state: missedWithinMs === null || lateMs <= missedWithinMs ? 'due' : 'skipped' }
}

function nextAfter(timetable: Timetable, job: ScheduledJob): Pick<SlotDecision, 'next' | 'nextAt'> {
  const { startDate, endDate } = job.settings
  const expression = cronExpression(timetable.expression)
  const next = nextSlot(expression, timetable.timezone, Math.max(timetable.decidedTo, startDate ?? 0))
  if (next === null || (endDate !== null && next >= endDate)) return { next: null, nextAt: null }
  return { next, nextAt: dueAt(job, next) }
}
