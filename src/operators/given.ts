import { TidemarkError } from '../core/errors.ts'

/**
 * What a callback gave back, checked: `undefined` and promises are always mistakes. `what` names the callback.
 * Throws USER_CODE_FAILED.
 */
export function given<T>(value: T, what: string): T {
  if (value === undefined || value instanceof Promise) throw refused(value, what)
  return value
}

/** Whether a predicate held. Throws USER_CODE_FAILED for a promise, which would always hold. */
export function givenTruth(value: unknown): boolean {
  if (value instanceof Promise) throw refused(value, 'the predicate')
  return Boolean(value)
}

/** A key-value pair that a callback gave back, checked. Throws USER_CODE_FAILED. */
export function givenPair(pair: readonly [unknown, unknown], what: string): readonly [unknown, unknown] {
  if (!Array.isArray(pair) || pair.length !== 2) {
    throw new TidemarkError('USER_CODE_FAILED', `${what} gave no pair`, {
      hint: 'Return [key, value].',
    })
  }
  given(pair[0], `${what} (key)`)
  given(pair[1], `${what} (value)`)
  return pair
}

/** Many results that a callback gave back, checked. Throws USER_CODE_FAILED. */
export function givenMany<T>(results: Iterable<T>, what: string): Iterable<T> {
  if (results === null || results === undefined || typeof results[Symbol.iterator] !== 'function') {
    throw new TidemarkError('USER_CODE_FAILED', `${what} gave nothing to go through`, {
      hint: 'Return an array, or another iterable; an empty one for no results.',
    })
  }
  return results
}

function refused(value: unknown, what: string): TidemarkError {
  if (value === undefined) {
    return new TidemarkError('USER_CODE_FAILED', `${what} gave undefined`, {
      hint: 'Return a value, or null where there is none; a function body in braces needs a return.',
    })
  }
  return new TidemarkError('USER_CODE_FAILED', `${what} gave a promise`, {
    hint: 'Steps are synchronous: take what they need from a table, not from a call.',
  })
}
