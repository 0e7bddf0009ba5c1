import type { Alarms } from '../ports/alarms.ts'
import type { Clock } from '../ports/clock.ts'
import type { Hooks } from '../ports/hooks.ts'
import type { Locks } from '../ports/lock.ts'
import type { RunLauncher } from '../ports/run-launcher.ts'
import type { StateDirectory } from '../ports/state-file.ts'

/** The ports that a scheduler works with. */
export interface SchedulerEnvironment {
  readonly clock: Pick<Clock, 'now'>
  readonly alarms: Alarms
  readonly launcher: RunLauncher
  readonly hooks: Hooks
  readonly state: Pick<StateDirectory, 'jobFile'>
  readonly locks: Locks
}
