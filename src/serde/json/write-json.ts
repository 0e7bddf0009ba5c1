import { badData } from '../bad-data.ts'
import { stringifyLossless } from './lossless.ts'

/**
 * The compact JSON of a value. Throws BAD_DATA where JSON would lose it silently: undefined, a function, a number that is
 * not finite; and for a bigint without `bigints`.
 */
export function writeJson(value: unknown, bigints: boolean): string {
  const text = bigints ? withBigints(value) : plain(value)
  if (text === undefined) {
    throw badData(
      `a value of type ${typeof value} cannot be written as JSON`,
      'Return a value from every path of the callback; write null to delete.',
    )
  }
  if (text.includes('null')) assertFinite(value)
  return text
}

function plain(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    const bigint = error instanceof TypeError && /BigInt/.test(error.message)
    throw badData(
      `the value cannot be written as JSON: ${error instanceof Error ? error.message : error}`,
      bigint ? 'Declare the serde as json({ bigints: true }).' : 'Write a value without circles.',
      error,
    )
  }
}

function withBigints(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString()
  if ('toJSON' in BigInt.prototype) return stringifyLossless(value)
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof TypeError && /BigInt/.test(error.message)) return stringifyLossless(value)
    throw error
  }
}

/** NaN and the infinities become `null` in JSON. */
function assertFinite(value: unknown): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw badData(`the number ${value} cannot be written as JSON`, 'Write null or a text where there is no number.')
  }
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) assertFinite(part)
}
