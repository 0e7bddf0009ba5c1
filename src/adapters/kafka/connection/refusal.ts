import { TidemarkError } from '../../../core/errors.ts'
import type { Place } from '../../../core/place.ts'
import { ERROR, errorName, isForbidden, isPassing } from '../protocol/error-code.ts'
import { LinkFailure } from './link-failure.ts'

/** What to make of an error code in an answer: LinkFailure where asking again may help, else the end. Classifies all. */
export function refusal(code: number, at: Place): Error {
  const name = errorName(code)
  if (isPassing(code)) return new LinkFailure(placeName(at), name)
  if (isForbidden(code)) {
    return new TidemarkError('CONFIG_INVALID', `the broker does not allow it: ${name}`, {
      at,
      hint: 'Give the user that logs in the rights on this topic: DESCRIBE and READ, and what the command changes.',
    })
  }
  if (code === ERROR.CORRUPT_MESSAGE) {
    return new TidemarkError('RECORD_BATCH_CORRUPT', 'the broker finds its own records damaged', {
      at,
      hint: 'Mend the topic from a replica or a backup, or start past the damage (tidemark checkpoint set).',
    })
  }
  return new TidemarkError('IO_FAILED', `the broker answers ${name}`, { at })
}

function placeName({ topic = 'the cluster', partition }: Place): string {
  return partition === undefined ? topic : `${topic}[${partition}]`
}
