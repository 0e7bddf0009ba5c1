import { badData } from '../bad-data.ts'
import { findNumber, isRounded } from './json-numbers.ts'
import { parseLossless } from './lossless.ts'

/**
 * The value of a JSON text. An integer that a number would round is BAD_DATA; with `bigints` every integer outside the
 * safe range is a bigint. Throws a SyntaxError for a text that is not JSON.
 */
export function readJson(text: string, bigints: boolean): unknown {
  const value: unknown = JSON.parse(text)
  if (!holdsBigNumber(value)) return value
  if (bigints) return parseLossless(text)
  const rounded = findNumber(text, isRounded)
  if (rounded === undefined) return value
  throw badData(
    `the integer ${rounded} does not fit a JavaScript number`,
    'Read such integers as bigint with json({ bigints: true }), or have them written as texts.',
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
