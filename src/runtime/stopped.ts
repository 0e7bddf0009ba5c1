import { TidemarkError } from '../core/errors.ts'
import type { StopSignal } from './stop-signal.ts'

/** The error that a run ends with when it was asked to stop. */
export function stopped(stop: StopSignal): TidemarkError {
  return new TidemarkError(stop.code, 'the run was stopped; what it had committed stands', {
    hint: 'Run the job again: it goes on where this run stopped.',
  })
}
