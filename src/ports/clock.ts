/** The only source of time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** A clock that never goes back, in milliseconds from an arbitrary start. For durations. */
  monotonic(): number
  /** Resolves when the event loop has had a turn. */
  yield(): Promise<void>
  /** Resolves after `ms`, or at once when `signal` is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The only source of chance. */
export interface Ids {
  uuid(): string
}
