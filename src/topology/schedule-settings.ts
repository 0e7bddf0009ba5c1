import type { Duration } from '../core/duration.ts'
import type { Hook } from '../core/hook.ts'

/** How late a slot may be found and still be on time: cron's own grain. */
export const ON_TIME_MS = 60_000

/** What to do with a slot that comes while a run of the job is under way. */
export type OverlapPolicy = 'skip' | 'queue' | 'cancel'

/** A job's schedule and its policies, with every default filled in. Times are ms. */
export interface ScheduleSettings {
  /** Cron expression, or null for a job that only people start. */
  readonly schedule: string | null
  readonly timezone: string
  readonly until: 'now' | 'slot'
  readonly settleMs: number
  readonly advanceTime: boolean
  readonly overlap: OverlapPolicy
  /** A slot that is found later than this starts no run; null: however late it is. */
  readonly missedWithinMs: number | null
  /** Epoch ms; slots in `[startDate, endDate)` count. */
  readonly startDate: number | null
  readonly endDate: number | null
  readonly jitterMs: number
  readonly retry: { readonly attempts: number; readonly backoffMs: number; readonly maxBackoffMs: number }
  readonly timeoutMs: number | null
  /** So many failed runs in a row pause the job. */
  readonly pauseAfter: number | null
  readonly onSuccess: Hook | null
  readonly onFailure: Hook | null
}

/** What a job file may set of its schedule. `tidemark schedule` goes by it; a run that a person starts does not. */
export interface ScheduleOptions {
  /** Cron expression: five fields, or six with seconds first. Without one, only people start the job. */
  readonly schedule?: string
  /** IANA name of the zone of the schedule. Default `UTC`. */
  readonly timezone?: string
  /** Where a run ends: where the log ends when it starts (`now`, the default), or at the records of its slot's time. */
  readonly until?: 'now' | 'slot'
  /** How long after its slot a run that goes `until` it starts, so that records that are under way arrive. Default `5m`. */
  readonly settle?: Duration
  /** A run that goes `until` its slot moves stream time there when it ends. Default false. */
  readonly advanceTime?: boolean
  /**
   * A slot that comes while a run is under way: `skip` leaves it to the next slot's run, `queue` has one run made when this
   * one ends, `cancel` stops this one at the end of its slice and has one made then. Default `skip`.
   */
  readonly overlap?: OverlapPolicy
  /**
   * Slots that nobody was there for: `run` makes one run for all of them, `skip` leaves them to the next slot's run,
   * `within` makes one only where the last of them is no longer ago than that. Default `run`.
   */
  readonly missed?: 'run' | 'skip' | { readonly within: Duration }
  /** ISO date or time, UTC where it names no zone: slots before it do not count. */
  readonly startDate?: string
  /** ISO date or time, UTC where it names no zone: slots from it on do not count. */
  readonly endDate?: string
  /** A run starts up to so much after its slot, by chance, though always the same for the same slot. Default 0. */
  readonly jitter?: Duration
  /**
   * How often a run is tried that fails for a reason that may pass (exit status 69 or 75, killed, timed out), and how long
   * is waited in between: `backoff` doubles each time, up to `maxBackoff`. Default: 3 attempts, `10s`, `10m`.
   */
  readonly retry?: { readonly attempts?: number; readonly backoff?: Duration; readonly maxBackoff?: Duration }
  /** A run that takes longer is stopped at the end of its slice. Default: none. */
  readonly timeout?: Duration
  /** So many failed runs in a row pause the job, until `tidemark resume`. Default: never. */
  readonly pauseAfter?: number
  /** Told of each run that is done, with its report as JSON. */
  readonly onSuccess?: Hook
  /** Told of each run that failed for good, with its report as JSON. */
  readonly onFailure?: Hook
}
