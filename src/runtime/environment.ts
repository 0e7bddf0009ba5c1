import type { Clock, Ids } from '../ports/clock.ts'
import type { Locks } from '../ports/lock.ts'
import type { Log } from '../ports/log.ts'
import type { StateDirectory } from '../ports/state-file.ts'
import type { StepObserver } from '../ports/steps.ts'

/** The ports that a runner works with: one for each outside. */
export interface Environment {
  readonly log: Log
  readonly state: StateDirectory
  readonly locks: Locks
  readonly clock: Clock
  readonly ids: Ids
  readonly steps: StepObserver
  /** How long a commit record keeps other instances out, ms. Default 5 minutes. */
  readonly leaseMs?: number
  /** Takes the lines that jobs print. Default: nowhere. */
  readonly print?: (line: string) => void
}
