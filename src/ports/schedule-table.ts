/** What came of a slot by itself: its time was kept, or it was found later, or came while a run or a pause was on. */
export type SlotCause = 'scheduled' | 'missed' | 'overlap' | 'paused'

/**
 * `due`: a run is to be made for it, or is at it. `skipped`: it makes no run, the next one covers it. `failed`: its run
 * failed for good, the next one covers it. `covered`: a run has gone past it.
 */
export type SlotState = 'due' | 'skipped' | 'failed' | 'covered'

/** A slot of a job's schedule, or a number of them in a row with the same fate. Instants are epoch ms. */
export interface SlotRow {
  /** The slot; the last one where the row stands for several. */
  readonly slot: number
  /** The first of those that the row stands for. */
  readonly first: number
  readonly count: number
  readonly cause: SlotCause
  readonly state: SlotState
  /** When it was found. */
  readonly decidedAt: number
  /** The run that covered it, or the one that failed. */
  readonly runId: string | null
}

/** The schedule that slots are counted by. */
export interface Timetable {
  readonly expression: string
  readonly timezone: string
  /** When a scheduler first had the job: slots before are nobody's. */
  readonly since: number
  /** Every slot before this instant has been decided on. Only `resume` sets it back. */
  readonly decidedTo: number
}

export interface Pause {
  readonly since: number
  readonly reason: string
  /** Null while it lasts. */
  readonly until: number | null
}

export interface ScheduleState {
  /** Null before a scheduler first had the job. */
  readonly timetable: Timetable | null
  /** Failed runs in a row. */
  readonly failures: number
  /** The last one. */
  readonly pause: Pause | null
}

/**
 * What `job.db` keeps of a job's schedule. One scheduler at a time has a job and decides on its slots; anyone may pause and
 * resume. Every write is a transaction of its own. Throws STATE_*, DISK_FULL, IO_FAILED.
 */
export interface ScheduleTable {
  read(): ScheduleState
  /** Replaces the timetable and adds rows of slots; all or nothing. */
  decide(timetable: Timetable, slots: readonly SlotRow[]): void
  /** Gives rows another state. Those that are not there are left alone. */
  mark(slots: readonly number[], state: SlotState, runId: string | null): void
  /** Rows that no run has covered, oldest first. */
  open(): readonly SlotRow[]
  /** Newest first. */
  slots(limit?: number): readonly SlotRow[]
  /** Removes covered rows but for the newest `keep` rows. */
  prune(keep: number): void
  /** One more failed run in a row; gives how many there are. */
  countFailure(): number
  clearFailures(): void
  /** Does nothing where it is paused already. */
  pause(since: number, reason: string): void
  /**
   * Ends the pause, if there is one, and forgets failures, and slots from `until` on: a clock that was ahead has decided
   * on them.
   */
  resume(until: number): void
}
