import type { TidemarkError } from '../../core/errors.ts'

/** Why a record is not processed. The words are the report's. */
export type RejectionReason = 'null-key' | 'null-value' | 'bad-data' | 'timestamp' | 'too-far' | 'asked' | 'user-error'

/** What happens to a rejected record when its turn in the merged order comes. */
export interface Rejection {
  readonly reason: RejectionReason
  readonly action: 'fail' | 'skip' | 'dead-letter'
  /** Present where there is more to say than the reason. Thrown when the action is `fail`. */
  readonly error: TidemarkError | null
}
