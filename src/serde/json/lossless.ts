import { createRequire } from 'node:module'
import { badData } from '../bad-data.ts'
import { integerOf } from './rounded-integer.ts'

type Library = typeof import('lossless-json')

let library: Library | undefined

/** Loaded when the first big integer is met: most jobs never need it. */
function load(): Library {
  library ??= createRequire(import.meta.url)('lossless-json') as Library
  return library
}

/** As JSON.parse, but integers outside the safe range are bigints. */
export function parseLossless(text: string): unknown {
  return load().parse(text, null, { parseNumber, onDuplicateKey: ({ newValue }) => newValue })
}

/** As JSON.stringify, but a bigint is written as its digits. */
export function stringifyLossless(value: unknown): string | undefined {
  return load().stringify(value)
}

function parseNumber(text: string): number | bigint {
  const exact = integerOf(text)
  if (exact === 'huge') throw badData(`the integer ${text} has too many digits`, 'Have it written as a text.')
  return exact === undefined || Number.isSafeInteger(Number(exact)) ? Number(text) : exact
}
