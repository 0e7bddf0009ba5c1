import { isTidemarkError } from '../core/errors.ts'
import type { StopSignal } from '../runtime/stop-signal.ts'

/** A signal to the process as a run understands it: the first one ends the run behind a committed slice. */
export function stopOnSignal(signal: AbortSignal): StopSignal {
  return {
    signal,
    get asked() {
      return signal.aborted ? 'slice' : null
    },
    get code() {
      return isTidemarkError(signal.reason, 'TERMINATED') ? 'TERMINATED' : 'INTERRUPTED'
    },
  }
}
