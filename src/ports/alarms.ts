/** Wakes whoever waits for a time of day, however far off. */
export interface Alarms {
  /**
   * Calls `ring` once, when the clock shows `at` (epoch ms) or later, and at once where it does so already; never inside
   * this call. It may be late by a second, and by a minute where the machine was asleep or its clock was set.
   */
  set(at: number, ring: () => void): Alarm
}

export interface Alarm {
  /** It does not ring any more. May be called twice, and after it rang. */
  cancel(): void
}
