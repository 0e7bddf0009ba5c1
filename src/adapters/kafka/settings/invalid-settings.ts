import { TidemarkError } from '../../../core/errors.ts'

/** Settings that make no sense. The message must not hold a secret: it names where a text stands, not the text. */
export function invalidSettings(message: string, hint?: string): TidemarkError {
  return new TidemarkError('CONFIG_INVALID', message, hint === undefined ? {} : { hint })
}
