import type { DataLossPolicy } from '../planner/data-loss-policy.ts'
import type { RunRow } from '../ports/history.ts'
import type { RestoreProgress } from './changelogs/restore-watch.ts'
import type { Pace } from './input/pace.ts'
import type { StopSignal } from './stop-signal.ts'

/** What a person or a scheduler asks of a run. Everything but the trigger has a default. */
export interface RunRequest {
  /** `manual`, `schedule`, `test`, ... */
  readonly trigger: string
  /** A bound. Absent: from the live checkpoint. Present: a generation of its own. */
  readonly from?: string
  /** A bound. Absent: `latest`. */
  readonly to?: string
  /** The name of a range's generation; by default it is made of the bounds. */
  readonly as?: string
  /** A range publishes its results. */
  readonly emit?: boolean
  /** A range of that name with other bounds is dropped first. */
  readonly replace?: boolean
  readonly init?: boolean
  readonly takeOver?: boolean
  readonly onDataLoss?: DataLossPolicy
  readonly acceptTopics?: readonly string[]
  /** Records to leave out: `TOPIC/PARTITION@OFFSET`. */
  readonly skip?: readonly string[]
  readonly closeWindows?: boolean
  readonly advanceTime?: boolean
  /** The run has no end: it goes on with what comes, until it is stopped. Only of the live generation, with no `to`. */
  readonly endless?: boolean
  /** Of an endless run: from one cut to the next at least, ms. Default 50. */
  readonly everyMs?: number
  /** How long transactions that hold back input are waited for, ms. Absent: as the job says. */
  readonly waitForTransactionsMs?: number
  /** How fast the run may be. Default: as fast as it can. */
  readonly pace?: Pace
  readonly stop?: StopSignal
  /** Told of the run's row when it starts and after each committed slice. */
  readonly onProgress?: (run: RunRow) => void
  /** Told once, when an endless run has found nothing more to read. */
  readonly onCaughtUp?: () => void
  /** Told of the progress of a restore from changelogs, before the run starts: offsets, of so many. */
  readonly onRestore?: RestoreProgress
}
