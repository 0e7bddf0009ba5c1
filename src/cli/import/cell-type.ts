/**
 * What a column of a csv file holds. Numbers keep their digits: the text of the cell is what stands in the JSON, so
 * nothing is rounded on the way in.
 */
export const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'json'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** What a column turns out to hold where nobody said it. */
export type InferredType = Exclude<ColumnType, 'json'>

/**
 * The narrowest type of a cell. A number has neither leading zeros nor a plus sign nor an exponent, and a JavaScript
 * number holds it exactly as it is written (zeros at its end aside): `007`, `1e5` and `9007199254740993` are strings.
 */
export function inferCell(text: string): InferredType {
  const first = text.charCodeAt(0)
  if (first === MINUS || isDigit(first)) return inferNumeric(text)
  return text === 'true' || text === 'false' ? 'boolean' : 'string'
}

/** The narrowest type that holds what both hold. */
export function widen(one: InferredType | undefined, other: InferredType): InferredType {
  if (one === undefined || one === other) return other
  const numeric = (type: InferredType) => type === 'integer' || type === 'number'
  return numeric(one) && numeric(other) ? 'number' : 'string'
}

const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

/** Any number of so many digits has exactly one double that reads back as it. */
const EXACT_DIGITS = 15

function inferNumeric(text: string): InferredType {
  const { length } = text
  const start = text.charCodeAt(0) === MINUS ? 1 : 0
  let at = start
  while (at < length && isDigit(text.charCodeAt(at))) at++
  const digits = at - start
  if (digits === 0 || (digits > 1 && text.charCodeAt(start) === ZERO)) return 'string'
  if (at === length) return digits <= EXACT_DIGITS || Number.isSafeInteger(Number(text)) ? 'integer' : 'string'
  if (text.charCodeAt(at) !== POINT) return 'string'
  const decimals = ++at
  while (at < length && isDigit(text.charCodeAt(at))) at++
  if (at < length || at === decimals) return 'string'
  return at - start <= EXACT_DIGITS + 1 || readsBack(text) ? 'number' : 'string'
}

function readsBack(text: string): boolean {
  const significant = text.replace(/\.?0+$/, '')
  return String(Number(significant)) === significant
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9
}
