import { badData } from '../bad-data.ts'
import { parseLossless } from './lossless.ts'
import { findNumber, isBeyondSafe, isRounded, mayHoldBigInteger } from './rounded-integer.ts'

/**
 * The value of a JSON text. An integer that a number would round is BAD_DATA; with `bigints` every integer outside the
 * safe range is a bigint. Throws a SyntaxError for a text that is not JSON.
 */
export function readJson(text: string, bigints: boolean): unknown {
  if (!mayHoldBigInteger(text)) return JSON.parse(text)
  if (bigints) return findNumber(text, isBeyondSafe) === undefined ? JSON.parse(text) : parseLossless(text)
  const value: unknown = JSON.parse(text)
  const rounded = findNumber(text, isRounded)
  if (rounded === undefined) return value
  throw badData(
    `the integer ${rounded} does not fit a JavaScript number`,
    'Read such integers as bigint with json({ bigints: true }), or have them written as texts.',
  )
}
