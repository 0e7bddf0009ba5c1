import { TidemarkError } from '../../core/errors.ts'

/** What this adapter is going to do and does not do yet. */
export function notYet(what: string): TidemarkError {
  return new TidemarkError('CONFIG_INVALID', what, { hint: 'Use the embedded log for it: sqlite:PATH.' })
}
