import { asBuffer } from '../../core/bytes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const MINUS = 0x2d
const DOT = 0x2e
const SPACE = 0x20
/** So many digits make an exact integer, and with a fraction one division that is rounded once. */
const EXACT_DIGITS = 15
const TENS = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

/** Gives the value of the JSON text in `[start, end)` of `bytes`. */
export type ReadPart = (bytes: Uint8Array, start: number, end: number) => unknown

/** Stands for a text that has to be read as a whole. */
export const WHOLE: unique symbol = Symbol('whole')

/**
 * Reads some fields of a JSON object straight from its bytes; the others are passed over, and not looked into. Where a field
 * is there twice the last one counts, one that is not there is left out. One reader for all records of a serde.
 */
export class FieldReader {
  readonly #names: readonly string[]
  readonly #other: ReadPart
  #bytes: Uint8Array = new Uint8Array(0)
  #at = 0
  #end = 0

  /** `names` are ASCII and need no escapes. `other` reads values that are neither plain numbers nor short texts. */
  constructor(names: readonly string[], other: ReadPart) {
    this.#names = names
    this.#other = other
  }

  /** The object; `WHOLE` where it is none, is damaged, or has an escaped name: then nothing is known of it. */
  read(bytes: Uint8Array, start: number, end: number): Record<string, unknown> | typeof WHOLE {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
    const found: Record<string, unknown> = {}
    if (!this.#take(OPEN_OBJECT)) return WHOLE
    if (this.#take(CLOSE_OBJECT)) return this.#isOver() ? found : WHOLE
    for (;;) {
      if (!this.#take(QUOTE)) return WHOLE
      const nameStart = this.#at
      if (!this.#passText(false)) return WHOLE
      const name = this.#nameAt(nameStart, this.#at - 1)
      if (!this.#take(COLON)) return WHOLE
      this.#passSpace()
      const valueStart = this.#at
      if (!this.#passValue()) return WHOLE
      if (name !== undefined) found[name] = this.#value(valueStart, this.#at)
      if (this.#take(COMMA)) continue
      return this.#take(CLOSE_OBJECT) && this.#isOver() ? found : WHOLE
    }
  }

  #value(start: number, end: number): unknown {
    const first = this.#bytes[start] as number
    if (first === MINUS || (first >= 0x30 && first <= 0x39)) {
      const number = plainNumber(this.#bytes, start, end)
      return number === undefined ? this.#other(this.#bytes, start, end) : number
    }
    if (first === QUOTE && isPlainText(this.#bytes, start + 1, end - 1)) {
      return asBuffer(this.#bytes).latin1Slice(start + 1, end - 1)
    }
    return this.#other(this.#bytes, start, end)
  }

  #nameAt(start: number, end: number): string | undefined {
    for (const name of this.#names) if (name.length === end - start && isAt(this.#bytes, start, name)) return name
    return undefined
  }

  #isOver(): boolean {
    this.#passSpace()
    return this.#at === this.#end
  }

  #passSpace(): void {
    while (this.#at < this.#end && (this.#bytes[this.#at] as number) <= SPACE && isSpace(this.#bytes[this.#at]))
      this.#at++
  }

  #take(byte: number): boolean {
    this.#passSpace()
    if (this.#at >= this.#end || this.#bytes[this.#at] !== byte) return false
    this.#at++
    return true
  }

  /** Behind an opening quote; goes behind the closing one. */
  #passText(escapes: boolean): boolean {
    const bytes = this.#bytes
    for (let at = this.#at; at < this.#end; at++) {
      const byte = bytes[at] as number
      if (byte === QUOTE) {
        this.#at = at + 1
        return true
      }
      if (byte < SPACE) return false
      if (byte === BACKSLASH) {
        if (!escapes) return false
        at++
      }
    }
    return false
  }

  #passValue(): boolean {
    const first = this.#at < this.#end ? (this.#bytes[this.#at] as number) : 0
    if (first === QUOTE) {
      this.#at++
      return this.#passText(true)
    }
    if (first === OPEN_OBJECT || first === OPEN_LIST) return this.#passNested()
    const start = this.#at
    while (this.#at < this.#end && !isDelimiter(this.#bytes[this.#at] as number)) this.#at++
    return this.#at > start
  }

  #passNested(): boolean {
    let depth = 0
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at++]
      if (byte === QUOTE) {
        if (!this.#passText(true)) return false
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --depth === 0) return true
    }
    return false
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= SPACE
}

function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false
  return true
}

function isPlainText(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === BACKSLASH || byte > 0x7f) return false
  }
  return true
}

/** A number without exponent and of few digits; undefined for any other text. */
function plainNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  const first = bytes[start] === MINUS ? start + 1 : start
  if (end - first > EXACT_DIGITS + 1 || first === end) return undefined
  let digits = 0
  let dot = -1
  for (let at = first; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === DOT && dot < 0) dot = at
    else if (byte >= 0x30 && byte <= 0x39) digits = digits * 10 + (byte - 0x30)
    else return undefined
  }
  const whole = (dot < 0 ? end : dot) - first
  if (whole === 0 || dot === end - 1 || (whole > 1 && bytes[first] === 0x30)) return undefined
  if (dot < 0 && end - first > EXACT_DIGITS) return undefined
  const value = dot < 0 ? digits : digits / (TENS[end - dot - 1] as number)
  return first === start ? value : -value
}
