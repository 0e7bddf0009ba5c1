import type { Alarms } from '../ports/alarms.ts'

/** Resolves when the clock shows `at` (epoch ms) or later, or when `signal` is aborted. */
export function waitUntil(alarms: Alarms, at: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const alarm = alarms.set(at, () => {
      signal.removeEventListener('abort', aborted)
      resolve()
    })
    const aborted = () => {
      alarm.cancel()
      resolve()
    }
    signal.addEventListener('abort', aborted, { once: true })
  })
}
