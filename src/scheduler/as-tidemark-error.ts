import { isTidemarkError, TidemarkError } from '../core/errors.ts'

/** Whatever was thrown, as an error that can be told; what was not foreseen is UNEXPECTED. */
export function asTidemarkError(thrown: unknown): TidemarkError {
  if (isTidemarkError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new TidemarkError('UNEXPECTED', message, { cause: thrown })
}
