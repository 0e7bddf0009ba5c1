import { TidemarkError } from '../../core/errors.ts'

/** A file that was opened to read is not written; SQLite would begin a transaction on it all the same. */
export function openedToRead(path: string): TidemarkError {
  return new TidemarkError('IO_FAILED', `${path} was opened to read`, { hint: 'This is a fault in Tidemark.' })
}
