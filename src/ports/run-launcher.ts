/** Starts runs, each as a process of its own, so that one that crashes or leaks harms no other. */
export interface RunLauncher {
  launch(order: RunOrder): LaunchedRun
}

export interface RunOrder {
  /** What `tidemark run` finds the job by: a name or a path. */
  readonly job: string
  /** Why the run is made, for its row in the history. */
  readonly trigger: string
  /** Records before this time (epoch ms) are its range; null: to the end of the log. */
  readonly until: number | null
  /** Stream time is moved to `until` when the run ends. */
  readonly advanceTime: boolean
}

/**
 * A run under way. It ends by itself behind a committed slice when whoever launched it is gone, however that went: no
 * word is needed, and nothing is asked again and again.
 */
export interface LaunchedRun {
  /** Never rejects: a process that could not be started has ended too. */
  readonly ended: Promise<RunEnd>
  /** Asks it to stop at the end of the slice under way. May be called twice, and after it ended. */
  stop(): void
  /** Ends it at once. What it had committed stands. */
  kill(): void
}

export interface RunEnd {
  /** Its exit status; null where it was killed, or could not be started. */
  readonly status: number | null
  /** The document that `run --json` printed; null where there is none. */
  readonly report: Readonly<Record<string, unknown>> | null
  /** What happened where there is no exit status: `killed by SIGKILL`. */
  readonly problem: string | null
}
