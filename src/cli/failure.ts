import { styleText } from 'node:util'
import { ERROR_CODES } from '../core/error-codes.ts'
import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import { formatPlace } from '../core/place.ts'

/** A rejection that nobody awaits, as the error that the command ends with. */
export function asUnhandled(thrown: unknown): TidemarkError {
  const { message, hint = '' } = asFailure(thrown)
  if (isTidemarkError(thrown)) return thrown
  return new TidemarkError('UNEXPECTED', `a promise was rejected that nobody awaits: ${message}`, {
    hint,
    cause: thrown,
  })
}

/** Any thrown thing as the error that the command ends with. What Tidemark did not foresee is UNEXPECTED. */
export function asFailure(thrown: unknown): TidemarkError {
  if (isTidemarkError(thrown)) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new TidemarkError('UNEXPECTED', message || 'something was thrown that says nothing', {
    hint: 'This was not foreseen. Set TIDEMARK_DEBUG=1 to see where it happened.',
    cause: thrown,
  })
}

/** Message, place, hint and code, a line each; with `debug` where it was thrown, and its causes. */
export function failureInWords(failure: TidemarkError, options: { colors: boolean; debug: boolean }): string {
  const paint = (style: 'red' | 'dim', text: string) => (options.colors ? styleText(style, text) : text)
  const lines = [`${paint('red', 'error:')} ${failure.message}`]
  if (failure.at !== undefined) lines.push(`   at: ${formatPlace(failure.at)}`)
  if (failure.hint !== undefined) lines.push(` hint: ${failure.hint}`)
  lines.push(paint('dim', ` code: ${failure.code} (exit status ${ERROR_CODES[failure.code].exit})`))
  if (options.debug) lines.push(...stacks(failure))
  return `${lines.join('\n')}\n`
}

function* stacks(thrown: unknown): Generator<string> {
  for (let each = thrown; each !== undefined && each !== null; ) {
    yield each instanceof Error ? (each.stack ?? each.message) : String(each)
    each = each instanceof Error ? each.cause : undefined
  }
}
