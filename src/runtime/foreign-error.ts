import { isTidemarkError, TidemarkError } from '../core/errors.ts'

/** Whatever escaped as the one error class. What no adapter has translated is a defect, and stands as what it is. */
export function asTidemarkError(error: unknown, job: string): TidemarkError {
  if (isTidemarkError(error)) return error.locatedAt({ job })
  const message = error instanceof Error ? error.message : String(error)
  return new TidemarkError('UNEXPECTED', `something went wrong inside: ${message}`, {
    at: { job },
    hint: 'This is a defect of Tidemark: please report it with the stack that TIDEMARK_DEBUG=1 prints.',
    cause: error,
  })
}
