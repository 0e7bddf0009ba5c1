import type { ScheduleSettings } from '../topology/schedule-settings.ts'

/** A job as far as its schedule goes. */
export interface ScheduledJob {
  readonly name: string
  /** What `tidemark run` is told to find it by: a name or a path. */
  readonly command: string
  readonly settings: ScheduleSettings
}
