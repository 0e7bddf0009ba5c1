import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  yield: async () => {
    // The first one ends the turn that is under way, which may be past the point where signals are taken in.
    await setImmediate()
    await setImmediate()
  },
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal }).catch(() => {}) // aborted: time to go on
  },
}
