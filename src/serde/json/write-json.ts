import { badData } from '../bad-data.ts'
import { stringifyLossless } from './lossless.ts'

/**
 * The compact JSON of a value. Numbers outside the safe range are written exactly, so that they read as they were; a
 * bigint, with `bigints`, as its digits. Throws BAD_DATA for what JSON would turn into null or an empty object silently.
 */
export function writeJson(value: unknown, bigints: boolean): string {
  const text = stringify(value, bigints)
  if (text !== undefined) return text
  throw badData(
    `a value of type ${typeof value} cannot be written as JSON`,
    'Return a value from every path of the callback, and null where there is none.',
  )
}

function stringify(value: unknown, bigints: boolean): string | undefined {
  try {
    if (!isPlain(value)) return stringifyLossless(value, bigints)
    return typeof value === 'number' ? `${value}` : JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw badData('the value refers to itself, or is nested too deeply', 'Write plain data, without circles.', error)
  }
}

/** True for data that JSON.stringify writes without loss: texts, finite numbers, lists and objects of such. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'number':
      return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER
    case 'object':
      return value === null || isPlainObject(value)
    default:
      return typeof value !== 'bigint'
  }
}

function isPlainObject(value: object): boolean {
  if (Array.isArray(value)) return value.every((part) => part !== undefined && isPlain(part))
  const prototype: unknown = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return false
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name])) return false
  return true
}
