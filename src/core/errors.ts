import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import type { Place } from './place.ts'
import { formatPlace } from './place.ts'

export interface ErrorDetails {
  /** What the reader can do about it: one sentence. */
  readonly hint?: string
  /** Where it happened. */
  readonly at?: Place
  readonly cause?: unknown
}

/** The one error class. Adapters translate foreign errors at their door; whatever else escapes is a defect. */
export class TidemarkError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly at: Place | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'TidemarkError'
    this.code = code
    this.hint = details.hint
    this.at = details.at
  }

  /** Exit status of a command that ends with this error. */
  get exit(): number {
    return ERROR_CODES[this.code].exit
  }

  /** True when the same command may succeed later with nothing changed. */
  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable
  }

  /** The same error with its place completed: what is known already wins. */
  locatedAt(outer: Place): TidemarkError {
    const { hint, cause } = this
    const at = { ...outer, ...this.at }
    const located = new TidemarkError(this.code, this.message, { at, cause, ...(hint === undefined ? {} : { hint }) })
    if (this.stack !== undefined) located.stack = this.stack
    return located
  }

  /** The error as data, for reports and `--json`. */
  toJSON(): { code: ErrorCode; message: string; hint?: string; at?: string } {
    return {
      code: this.code,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.at === undefined ? {} : { at: formatPlace(this.at) }),
    }
  }
}

export function isTidemarkError(error: unknown, code?: ErrorCode): error is TidemarkError {
  return error instanceof TidemarkError && (code === undefined || error.code === code)
}

/** For the `default` of a switch over a closed union. */
export function unreachable(value: never, what: string): never {
  throw new Error(`${what} is not handled: ${JSON.stringify(value)}`)
}
