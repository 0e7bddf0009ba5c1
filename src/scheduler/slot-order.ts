import type { RunEnd } from '../ports/run-launcher.ts'
import type { SlotRow } from '../ports/schedule-table.ts'
import type { ScheduleSettings } from '../topology/schedule-settings.ts'

/** The run that is to be made for slots. */
export interface SlotOrder {
  /** `schedule`: a slot is on time; `catch-up`: none is; `now`: a person asked. */
  readonly trigger: 'schedule' | 'catch-up' | 'now'
  /** A run that is done covers the slots up to this instant (epoch ms), it included. */
  readonly covers: number
  /** Records before this time are its range; null: to the end of the log. */
  readonly until: number | null
}

/** The one run for all slots that are due, or for a person who asked; null where there is none to make. */
export function slotOrder(
  open: readonly SlotRow[],
  { until, settleMs }: ScheduleSettings,
  now: number,
  asked: boolean,
): SlotOrder | null {
  const due = open.filter(({ state }) => state === 'due')
  const newest = due.at(-1)?.slot ?? null
  if (asked) {
    // As if a slot had come that has settled by now.
    const settled = Math.floor((now - settleMs) / 1000) * 1000
    return { trigger: 'now', covers: until === 'slot' ? settled : now, until: until === 'slot' ? settled : null }
  }
  if (newest === null) return null
  const trigger = due.some(({ cause }) => cause === 'scheduled') ? 'schedule' : 'catch-up'
  if (until === 'slot') return { trigger, covers: newest, until: newest }
  return { trigger, covers: Math.max(now, newest), until: null }
}

/**
 * The slots up to this instant are covered by a run that is done. One that finished what an earlier attempt had begun
 * goes to the end that was planned then, and no further: slots since have yet to be covered.
 */
export function coveredTo(order: SlotOrder, report: RunEnd['report']): number {
  const { attempt, startedAt } = report ?? {}
  const begun = typeof startedAt === 'string' ? Date.parse(startedAt) : Number.NaN
  const resumed = order.until === null && typeof attempt === 'number' && attempt > 1 && !Number.isNaN(begun)
  return resumed ? Math.min(order.covers, begun) : order.covers
}
