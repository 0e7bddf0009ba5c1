import { TidemarkError } from '../../core/errors.ts'

/** A copy never replaces what is there. */
export function copyRefused(path: string): TidemarkError {
  return new TidemarkError('USAGE', `${path} exists already`, { hint: 'Name another path, or move that file away.' })
}

/** There is nothing to restore from. */
export function noBackup(path: string): TidemarkError {
  return new TidemarkError('USAGE', `there is no backup at ${path}`, { hint: 'Name the file that a backup wrote.' })
}
