import { badData } from '../bad-data.ts'
import { stringifyLossless } from './lossless.ts'

/**
 * The compact JSON of a value; with `bigints`, a bigint as its digits. Throws BAD_DATA for what JSON would turn into
 * null or leave out silently: undefined, a function, a number that is not finite.
 */
export function writeJson(value: unknown, bigints: boolean): string {
  const text = stringify(value, bigints)
  if (text === undefined) {
    throw badData(
      `a value of type ${typeof value} cannot be written as JSON`,
      'Return a value from every path of the callback, and null where there is none.',
    )
  }
  if (text.includes('null')) assertNoLostValue(value)
  return text
}

function stringify(value: unknown, bigints: boolean): string | undefined {
  try {
    if (bigints && 'toJSON' in BigInt.prototype) return stringifyLossless(value)
    return JSON.stringify(value)
  } catch (error) {
    if (bigints) return stringifyWithBigints(value)
    const isBigint = error instanceof TypeError && error.message.includes('BigInt')
    throw cannotWrite(error, isBigint ? 'Declare the serde as json({ bigints: true }).' : 'Write plain data.')
  }
}

function stringifyWithBigints(value: unknown): string | undefined {
  try {
    return stringifyLossless(value)
  } catch (error) {
    throw cannotWrite(error, 'Write plain data, without circles.')
  }
}

function cannotWrite(error: unknown, hint: string): Error {
  return badData(`the value cannot be written as JSON: ${error instanceof Error ? error.message : error}`, hint, error)
}

function assertNoLostValue(value: unknown): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw lost(`the number ${value}`)
  } else if (Array.isArray(value)) {
    for (const part of value) {
      if (part === undefined) throw lost('undefined in a list')
      assertNoLostValue(part)
    }
  } else if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw lost('an invalid date')
  } else if (typeof value === 'object' && value !== null) {
    for (const name in value) assertNoLostValue((value as Record<string, unknown>)[name])
  }
}

function lost(what: string): Error {
  return badData(`${what} would become null in JSON`, 'Write null or a text where there is no value.')
}
