import type { ErrorCode } from '../../core/error-codes.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { SqliteSubject } from './sqlite-error.ts'

/**
 * What to throw for an error that the file system raised: DISK_FULL, STATE_DAMAGED where something is there and may not
 * be read, else IO_FAILED. Anything that is not the file system's is given back as it is.
 */
export function translateFileError(error: unknown, subject: SqliteSubject): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error
  const code = codeOf(String(error.code))
  return new TidemarkError(code, `${subject.what} ${subject.path} cannot be reached (${error.message})`, {
    hint:
      code === 'DISK_FULL'
        ? 'Make room, then run the same command again.'
        : 'See the path and who may read and write it.',
    cause: error,
  })
}

function codeOf(code: string): ErrorCode {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'DISK_FULL'
    case 'EACCES':
    case 'EPERM':
    case 'ELOOP':
      return 'STATE_DAMAGED'
    default:
      return 'IO_FAILED'
  }
}
