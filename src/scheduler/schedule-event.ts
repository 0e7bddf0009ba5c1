import type { TidemarkError } from '../core/errors.ts'
import type { SlotRow } from '../ports/schedule-table.ts'
import type { AttemptEnd } from './attempt-run.ts'
import type { RunVerdict } from './run-verdict.ts'
import type { SlotOrder } from './slot-order.ts'

/** What a scheduler tells while it is at work. Instants are epoch ms. */
export type ScheduleEvent =
  /** It has the job. */
  | { readonly kind: 'ready'; readonly job: string; readonly next: number | null }
  /** Slots have come, and were decided on. */
  | { readonly kind: 'slots'; readonly job: string; readonly slots: readonly SlotRow[] }
  | { readonly kind: 'started'; readonly job: string; readonly order: SlotOrder; readonly attempt: number }
  | {
      readonly kind: 'ended'
      readonly job: string
      readonly attempt: number
      readonly verdict: RunVerdict
      readonly ended: AttemptEnd
      /** When it is tried again, if it is. */
      readonly againAt: number | null
    }
  | { readonly kind: 'paused'; readonly job: string; readonly reason: string }
  | { readonly kind: 'hook-failed'; readonly job: string; readonly error: TidemarkError }
  /** Something of the job's schedule could not be read or written. */
  | { readonly kind: 'trouble'; readonly job: string; readonly error: TidemarkError; readonly againAt: number | null }
  /** Slots up to `decidedTo` were decided on by a clock that was ahead of this one: they do not come again. */
  | { readonly kind: 'clock-behind'; readonly job: string; readonly decidedTo: number }
