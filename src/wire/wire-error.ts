import { TidemarkError } from '../core/errors.ts'
import type { Place } from '../core/place.ts'

/** A batch whose bytes are not what a writer wrote. */
export function corruptBatch(reason: string, at: Place, cause?: unknown): TidemarkError {
  return new TidemarkError('RECORD_BATCH_CORRUPT', reason, {
    hint: 'The stored bytes are damaged: restore the log, or start past this batch (tidemark checkpoint set).',
    at,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** A batch in a format that exists and that Tidemark does not read. */
export function unsupportedBatch(reason: string, hint: string, at: Place): TidemarkError {
  return new TidemarkError('RECORD_BATCH_UNSUPPORTED', reason, { hint, at })
}
