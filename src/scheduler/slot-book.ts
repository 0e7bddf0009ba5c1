import type { RunEnd } from '../ports/run-launcher.ts'
import type { ScheduleTable } from '../ports/schedule-table.ts'
import { dueSlots, type SlotDecision } from './due-slots.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import { coveredTo, type SlotOrder, slotOrder } from './slot-order.ts'

/** So many rows of slots are kept, and more where no run has covered them. */
const KEPT_SLOTS = 10_000

/** A job's slots on disk, and what happens to them. */
export class SlotBook {
  readonly #table: ScheduleTable
  readonly #job: ScheduledJob

  constructor(table: ScheduleTable, job: ScheduledJob) {
    this.#table = table
    this.#job = job
  }

  /** Takes over what a scheduler left that is gone: slots whose run it did not see the end of are due, if not too late. */
  takeOver(now: number): void {
    const { missedWithinMs } = this.#job.settings
    if (missedWithinMs === null) return
    const late = this.#due().filter((slot) => now - slot > missedWithinMs)
    if (late.length > 0) this.#table.mark(late, 'skipped', null)
  }

  /** Decides on the slots that have come, and writes that down. */
  decide(now: number, running: boolean): SlotDecision {
    const { timetable, pause } = this.#table.read()
    const decision = dueSlots({ timetable, pause, running }, this.#job, now)
    if (decision.changed) this.#table.decide(decision.timetable, decision.slots)
    return decision
  }

  /** The run that is to be made now. A pause leaves due slots to the next one, unless a person asked. */
  order(now: number, asked: boolean): SlotOrder | null {
    const { pause } = this.#table.read()
    if (pause?.until === null && !asked) {
      const due = this.#due()
      if (due.length > 0) this.#table.mark(due, 'skipped', null)
      return null
    }
    return slotOrder(this.#table.open(), this.#job.settings, now, asked)
  }

  /** A run is done. */
  cover(order: SlotOrder, report: RunEnd['report']): void {
    const to = coveredTo(order, report)
    const covered = this.#table.open().filter(({ slot }) => slot <= to)
    this.#table.mark(slotsOf(covered), 'covered', runIdOf(report) ?? 'unknown')
    this.#table.clearFailures()
    this.#table.prune(KEPT_SLOTS)
  }

  /** No run was made, because somebody else runs the job. */
  leave(order: SlotOrder): void {
    this.#table.mark(this.#due(order.covers), 'skipped', null)
  }

  /** A run has failed for good. Gives how many have in a row, and the reason where that pauses the job. */
  fail(order: SlotOrder, report: RunEnd['report'], now: number, why: string): { readonly paused: string | null } {
    this.#table.mark(this.#due(order.covers), 'failed', runIdOf(report))
    const failures = this.#table.countFailure()
    const { pauseAfter } = this.#job.settings
    if (pauseAfter === null || failures < pauseAfter) return { paused: null }
    const reason = `${failures} ${failures === 1 ? 'run' : 'runs in a row'} failed, the last one: ${why}`
    this.#table.pause(now, reason)
    return { paused: reason }
  }

  #due(to = Number.POSITIVE_INFINITY): readonly number[] {
    return slotsOf(this.#table.open().filter(({ slot, state }) => state === 'due' && slot <= to))
  }
}

function slotsOf(rows: readonly { readonly slot: number }[]): readonly number[] {
  return rows.map(({ slot }) => slot)
}

/** The id of the run that a report is of, or null. */
export function runIdOf(report: RunEnd['report']): string | null {
  const id = report?.runId
  return typeof id === 'string' ? id : null
}
