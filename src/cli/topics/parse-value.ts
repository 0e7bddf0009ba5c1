import { parseLossless } from '../../serde/json/lossless.ts'
import { mayHoldBigInteger } from '../../serde/json/rounded-integer.ts'

/** Parses JSON. An integer that a JavaScript number would round is a bigint instead. */
export function parseValue(json: string): unknown {
  return mayHoldBigInteger(json) ? parseLossless(json) : JSON.parse(json)
}
