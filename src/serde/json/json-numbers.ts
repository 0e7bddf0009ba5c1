/** A string, skipped whole, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g

const INTEGER = /^-?\d+$/

/** More digits than anyone counts with, and few enough to compute with. */
const MAX_DIGITS = 1000

/** The first number of a JSON text for which `matches` is true, as written. Texts inside are passed over. */
export function findNumber(json: string, matches: (text: string) => boolean): string | undefined {
  for (const [token] of json.matchAll(TOKENS)) if (token.charCodeAt(0) !== 0x22 && matches(token)) return token
  return undefined
}

/**
 * Whether a JavaScript number cannot hold JSON's number: an integer that it would round, or one beyond all doubles. What
 * is written with a fraction or an exponent is the nearest double, as everywhere.
 */
export function isLost(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return true
  return isIntegerLiteral(text) && BigInt(value) !== BigInt(text)
}

/** Whether a JSON number is written as an integer: digits, without fraction and exponent. */
export function isIntegerLiteral(text: string): boolean {
  return INTEGER.test(text)
}

/** Whether an integer has more digits than is reasonable. */
export function isHuge(text: string): boolean {
  return text.length > MAX_DIGITS
}
