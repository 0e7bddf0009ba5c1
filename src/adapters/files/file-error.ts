import { type ErrorDetails, isTidemarkError, TidemarkError } from '../../core/errors.ts'

/** What went wrong with a file, as an error that names it. Errors that are named already pass. */
export function fileError(path: string, thrown: unknown): TidemarkError {
  if (isTidemarkError(thrown)) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  const because: ErrorDetails = { cause: thrown }
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new TidemarkError('INPUT_MISSING', `there is no file ${path}`, because)
    case 'EISDIR':
      return new TidemarkError('USAGE', `${path} is a folder, not a file`, because)
    case 'ENOSPC':
    case 'EDQUOT':
      return new TidemarkError('DISK_FULL', `there is no room left to write ${path}`, because)
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return new TidemarkError('BAD_DATA', `${path} is damaged or was cut short: its gzip data does not end well`, {
        ...because,
        hint: 'Fetch the file again.',
      })
    default:
      return new TidemarkError('IO_FAILED', `${path}: ${thrown instanceof Error ? thrown.message : thrown}`, because)
  }
}
