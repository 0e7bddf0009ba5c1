/** What a text must hold to have an integer beyond the safe range: 16 digits in a row, or an exponent. */
const SUSPICIOUS = /\d{16}|\d[eE][-+]?\d/

/** A string (skipped whole), or a number with its parts. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?/gs

/** Greatest exponent that is computed exactly; no number of JavaScript reaches it. */
const MAX_EXPONENT = 400

/** Whether a JSON text can hold an integer outside the safe range. Says no quickly, and yes sometimes wrongly. */
export function mayHoldBigInteger(json: string): boolean {
  return SUSPICIOUS.test(json)
}

/** The first number of a JSON text for which `matches` is true, as written. Texts inside are passed over. */
export function findNumber(json: string, matches: (text: string) => boolean): string | undefined {
  for (const [token] of json.matchAll(TOKENS)) if (token.charCodeAt(0) !== 0x22 && matches(token)) return token
  return undefined
}

/** Whether JSON's number, read as a JavaScript number, becomes another integer than the one that is written. */
export function isRounded(text: string): boolean {
  const exact = integerOf(text)
  if (exact === undefined) return false
  const value = Number(text)
  return exact === 'huge' || !Number.isFinite(value) || BigInt(value) !== exact
}

/** Whether JSON's number is an integer outside the safe range. */
export function isBeyondSafe(text: string): boolean {
  const exact = integerOf(text)
  return exact === 'huge' || (exact !== undefined && !Number.isSafeInteger(Number(exact)))
}

/** The integer that a JSON number denotes: `12`, `12.0`, `1.2e1`; undefined where it has a fraction. */
export function integerOf(text: string): bigint | 'huge' | undefined {
  const [, whole = '', fraction = '', exponentText = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const shift = Number(exponentText) - fraction.length
  const sign = text.startsWith('-') ? '-' : ''
  if (shift > MAX_EXPONENT) return 'huge'
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`)
  const kept = digits.length + shift
  if (kept <= 0 || /[^0]/.test(digits.slice(kept))) return undefined
  return BigInt(sign + digits.slice(0, kept))
}
