import { createRequire } from 'node:module'
import { badData } from '../bad-data.ts'
import { isHuge, isIntegerLiteral } from './json-numbers.ts'

const require = createRequire(import.meta.url)

type Library = typeof import('lossless-json')

let library: Library | undefined

/** Loaded when the first such value is met: most jobs never need it. */
function load(): Library {
  library ??= require('lossless-json') as Library
  return library
}

/** As JSON.parse, but an integer literal outside the safe range is a bigint. */
export function parseLossless(text: string): unknown {
  return load().parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
}

function parseNumber(text: string): number | bigint {
  const number = Number(text)
  if (isIntegerLiteral(text)) {
    if (Number.isSafeInteger(number)) return number
    if (isHuge(text)) throw badData('an integer has too many digits', 'Have it written as a text.')
    return BigInt(text)
  }
  if (Number.isFinite(number)) return number
  throw badData(`the number ${text} does not fit a JavaScript number`, 'Have such numbers written as texts.')
}

/**
 * As JSON.stringify, but integers outside the safe range are not rounded to the shortest digits: they have all of them,
 * or an exponent where integers are bigints. What would be lost is BAD_DATA.
 */
export function stringifyLossless(value: unknown, bigints: boolean): string | undefined {
  const big = { test: isBigNumber, stringify: (number: unknown) => allDigits(number as number | bigint, bigints) }
  return load().stringify(value, refuseLost, undefined, [big])
}

function isBigNumber(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
}

function allDigits(number: number | bigint, bigints: boolean): string {
  if (typeof number === 'bigint') {
    if (bigints) return number.toString()
    throw badData('a bigint was to be written as JSON', 'Declare the serde as json({ bigints: true }).')
  }
  if (!Number.isFinite(number)) throw lost(`the number ${number}`)
  if (bigints) return number.toExponential()
  const shortest = String(number)
  return isIntegerLiteral(shortest) ? BigInt(number).toString() : shortest
}

function refuseLost(this: unknown, _name: string, value: unknown): unknown {
  if (value === undefined && Array.isArray(this)) throw lost('undefined in a list')
  if (value instanceof Map || value instanceof Set) throw lost(`a ${value.constructor.name}`)
  if (value instanceof Date && Number.isNaN(value.getTime())) throw lost('an invalid date')
  return value
}

function lost(what: string): Error {
  return badData(`${what} would be lost in JSON`, 'Write what JSON has: texts, numbers, lists, plain objects, null.')
}
