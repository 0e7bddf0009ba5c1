import { createRequire } from 'node:module'
import { badData } from '../bad-data.ts'
import { integerOf } from './json-numbers.ts'

type Library = typeof import('lossless-json')

let library: Library | undefined

/** Loaded when the first such value is met: most jobs never need it. */
function load(): Library {
  library ??= createRequire(import.meta.url)('lossless-json') as Library
  return library
}

/**
 * As JSON.parse, but an integer outside the safe range is a bigint. With an exponent it is a number where that is exact:
 * so `stringifyLossless` writes numbers.
 */
export function parseLossless(text: string): unknown {
  return load().parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
}

function parseNumber(text: string): number | bigint {
  const exact = integerOf(text)
  if (exact === 'huge') throw badData(`the integer ${text} has too many digits`, 'Have it written as a text.')
  const number = Number(text)
  if (exact === undefined || Number.isSafeInteger(number)) return number
  return /[eE]/.test(text) && Number.isFinite(number) && BigInt(number) === exact ? number : exact
}

/**
 * As JSON.stringify, but numbers outside the safe range have all their digits (with an exponent where integers are
 * bigints), and what would be lost is BAD_DATA.
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
  const digits = BigInt(number).toString()
  const lead = number < 0 ? 2 : 1
  return bigints ? `${digits.slice(0, lead)}.${digits.slice(lead)}e${digits.length - lead}` : digits
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
