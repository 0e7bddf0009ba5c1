import { TidemarkError } from '../../../core/errors.ts'
import type { Place } from '../../../core/place.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { refusal } from '../connection/refusal.ts'
import { unreachable } from '../connection/unreachable-error.ts'
import type { AdminResult } from '../protocol/admin-result.ts'
import { ERROR, errorName } from '../protocol/error-code.ts'

/** What a user asked for that the cluster does not take. */
const ASKED_WRONGLY: ReadonlySet<number> = new Set([
  ERROR.INVALID_TOPIC_EXCEPTION,
  ERROR.INVALID_PARTITIONS,
  ERROR.INVALID_REPLICATION_FACTOR,
  ERROR.INVALID_CONFIG,
  ERROR.INVALID_REQUEST,
  ERROR.POLICY_VIOLATION,
  ERROR.TOPIC_DELETION_DISABLED,
])

/** The error for a change that was not made, in the broker's words where it has some. */
export function adminRefusal({ errorCode, message }: AdminResult, at: Place): Error {
  if (!ASKED_WRONGLY.has(errorCode)) {
    const error = refusal(errorCode, at)
    return error instanceof LinkFailure ? unreachable(error.message, error) : error
  }
  return new TidemarkError('USAGE', message ?? `the brokers refuse it: ${errorName(errorCode)}`, {
    at,
    hint: 'Settings have the names and values of Kafka.',
  })
}
