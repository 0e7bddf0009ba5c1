import { badData } from '../bad-data.ts'
import { findNumber, isIntegerLiteral, isLost } from './json-numbers.ts'
import { parseLossless } from './lossless.ts'

/**
 * The value of a JSON text. An integer that a number would round is BAD_DATA; with `bigints` every integer outside the
 * safe range is a bigint. Integers are those written without fraction and exponent; other numbers are doubles, BAD_DATA
 * where they are beyond all of them. Throws a SyntaxError for a text that is not JSON.
 */
export function readJson(text: string, bigints: boolean): unknown {
  const value: unknown = JSON.parse(text)
  if (!holdsBigNumber(value)) return value
  if (bigints) return parseLossless(text)
  const lost = findNumber(text, isLost)
  if (lost === undefined) return value
  const integer = isIntegerLiteral(lost)
  throw badData(
    `the ${integer ? 'integer' : 'number'} ${lost} does not fit a JavaScript number`,
    integer
      ? 'Read such integers as bigint with json({ bigints: true }), or have them written as texts.'
      : 'Have such numbers written as texts.',
  )
}

/** Whether a parsed value has a number outside the safe range. Every such integer has become one, rounded or not. */
function holdsBigNumber(value: unknown): boolean {
  if (typeof value === 'number') return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(holdsBigNumber)
  for (const name in value) if (holdsBigNumber((value as Record<string, unknown>)[name])) return true
  return false
}
