import { TidemarkError } from '../../core/errors.ts'
import type { Attempt } from '../attempt.ts'
import { type RecordSkip, recordKey } from './input-source.ts'

/** A record to leave out: its `topic/partition@offset`, and how. */
export type LeftOut = readonly [key: string, skip: RecordSkip]

/**
 * The record on which user code failed in an attempt, where the job leaves such records out; undefined where `error` ends
 * the run. The attempt is to be given up, and made again without the record.
 */
export function userErrorSkip(
  { underWay }: Pick<Attempt, 'underWay'>,
  error: unknown,
  onUserError: 'fail' | RecordSkip['action'],
): LeftOut | undefined {
  if (!(error instanceof TidemarkError) || error.code !== 'USER_CODE_FAILED') return undefined
  if (onUserError === 'fail' || underWay === null) return undefined
  const { topic, partition, offset } = underWay
  return [recordKey(topic, partition, offset), { reason: 'user-error', action: onUserError, error }]
}
