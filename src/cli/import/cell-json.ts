import type { ColumnType } from './cell-type.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes the control characters
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/

/** A cell as JSON text where the column was declared to have a type; undefined where it is not of that type. */
export function cellAs(type: ColumnType, text: string): string | undefined {
  switch (type) {
    case 'string':
      return textAsJson(text)
    case 'integer':
      return /^[+-]?\d+$/.test(text) ? plainNumber(text) : undefined
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? plainNumber(text) : undefined
    case 'boolean':
      return booleanAsJson(text)
    case 'json':
      return jsonAsJson(text)
  }
}

export function textAsJson(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** The same number as JSON writes it, digit for digit: no plus sign, no leading zeros, a digit on either side of the point. */
function plainNumber(text: string): string {
  if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return text
  const [, sign = '', whole = '', decimals = '', exponent = ''] =
    /^([+-]?)0*(\d*)\.?(\d*)((?:[eE].*)?)$/.exec(text) ?? []
  const point = decimals === '' ? '' : `.${decimals}`
  return `${sign === '-' ? '-' : ''}${whole || '0'}${point}${exponent}`
}

function booleanAsJson(text: string): string | undefined {
  if (/^(true|t|1)$/i.test(text)) return 'true'
  return /^(false|f|0)$/i.test(text) ? 'false' : undefined
}

function jsonAsJson(text: string): string | undefined {
  try {
    JSON.parse(text)
    // Ends of lines can only stand between tokens; a value is one line.
    return text.replace(/[\r\n]+/g, ' ')
  } catch {
    return undefined
  }
}
