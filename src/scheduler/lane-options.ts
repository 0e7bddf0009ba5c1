import type { Places } from './places.ts'
import type { ScheduleEvent } from './schedule-event.ts'

export interface LaneOptions {
  /** Ends when nothing is due, instead of waiting for the next slot. */
  readonly once: boolean
  /** A person wants a run now, due or not. */
  readonly now: boolean
  readonly places: Places
  /** The end of the scheduler. */
  readonly stop: AbortSignal
  readonly tell: (event: ScheduleEvent) => void
}
