/** A string, skipped whole, or a number. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+.\deE]*/g

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/

/** More digits than any number of JavaScript has, and few enough to compute with. */
const MAX_DIGITS = 1000

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

/** The integer that a JSON number denotes, as `12`, `12.0` and `1.2e1` do; undefined where it has a fraction. */
export function integerOf(text: string): bigint | 'huge' | undefined {
  const [, whole = '', fraction = '', exponentText = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  const shift = Number(exponentText) - fraction.length
  const sign = text.startsWith('-') ? '-' : ''
  if (digits.length + shift > MAX_DIGITS) return 'huge'
  if (shift >= 0) return BigInt(`${sign}${digits}${'0'.repeat(shift)}`)
  const kept = digits.length + shift
  if (kept <= 0 || /[^0]/.test(digits.slice(kept))) return undefined
  return BigInt(sign + digits.slice(0, kept))
}
