import type { ErrorCode } from '../core/error-codes.ts'

/** How a person or a scheduler asks a run to stop. */
export interface StopSignal {
  /** `slice`: commit what is done and stop. `now`: give up the slice under way and stop. */
  readonly asked: 'slice' | 'now' | null
  /** The code of the error that a run ends with when it was stopped. */
  readonly code: Extract<ErrorCode, 'INTERRUPTED' | 'TERMINATED'>
  /** Aborted when `asked` is set, where somebody who waits can be told. */
  readonly signal?: AbortSignal
}

export const NEVER_STOP: StopSignal = Object.freeze({ asked: null, code: 'INTERRUPTED' })
