import type { ByteString } from '../../core/bytes.ts'

/** Odd numbers with well mixed bits. */
const M1 = 0x9e3779b1
const M2 = 0x85ebca77
const M3 = 0xc2b2ae3d

/**
 * A running digest of 64 bits over what it is given, in order. It tells changes apart, not forgeries. Bytes count alike in
 * whatever form they come. Nothing is allocated.
 *
 * Every step maps the state one to one for the same input, so a change of one word always changes the digest.
 */
export class Digest {
  /** Two halves that mix with each other at the end of each item. */
  readonly #state = new Int32Array(2)

  /** `text` is what `toString` gave, to go on from there; by default nothing was given yet. */
  constructor(text = '') {
    if (text === '') return
    this.#state[0] = Number.parseInt(text.slice(0, 8), 16)
    this.#state[1] = Number.parseInt(text.slice(8), 16)
  }

  /** A whole number below 2^53 either way, or any other number by its bits. */
  number(value: number): void {
    const state = this.#state
    let low = value | 0
    let high = Math.floor(value / 2 ** 32) | 0
    if (!Number.isSafeInteger(value)) {
      FLOAT[0] = value
      low = FLOAT_BITS[0] as number
      high = ~(FLOAT_BITS[1] as number)
    }
    state[0] = mixed1((state[0] as number) ^ low)
    state[1] = mixed2((state[1] as number) ^ high ^ (state[0] as number))
  }

  /** `[from, to)` of bytes that `view` shows: the fast way. */
  view(view: DataView, from: number, to: number): void {
    let a = this.#state[0] as number
    let b = this.#state[1] as number
    let at = from
    for (const end = to - 7; at < end; at += 8) {
      a = mixed1(a ^ view.getInt32(at, true))
      b = mixed2(b ^ view.getInt32(at + 4, true))
    }
    for (; at < to; at++) a = mixed1(a ^ view.getUint8(at))
    this.#end(a, b, to - from)
  }

  bytes(bytes: Uint8Array): void {
    let a = this.#state[0] as number
    let b = this.#state[1] as number
    const { length } = bytes
    let at = 0
    for (; at < length - 7; at += 8) {
      a = mixed1(a ^ word(bytes, at))
      b = mixed2(b ^ word(bytes, at + 4))
    }
    for (; at < length; at++) a = mixed1(a ^ (bytes[at] as number))
    this.#end(a, b, length)
  }

  text(text: ByteString): void {
    let a = this.#state[0] as number
    let b = this.#state[1] as number
    const { length } = text
    let at = 0
    for (; at < length - 7; at += 8) {
      a = mixed1(a ^ textWord(text, at))
      b = mixed2(b ^ textWord(text, at + 4))
    }
    for (; at < length; at++) a = mixed1(a ^ text.charCodeAt(at))
    this.#end(a, b, length)
  }

  /** 16 hexadecimal digits. */
  toString(): string {
    return hex(this.#state[0] as number) + hex(this.#state[1] as number)
  }

  #end(a: number, b: number, length: number): void {
    const first = Math.imul(a ^ length, M3)
    this.#state[0] = first
    this.#state[1] = Math.imul(b ^ (first >>> 15), M1) ^ first
  }
}

const FLOAT = new Float64Array(1)
const FLOAT_BITS = new Int32Array(FLOAT.buffer)

function mixed1(value: number): number {
  const product = Math.imul(value, M1)
  return product ^ (product >>> 15)
}

function mixed2(value: number): number {
  const product = Math.imul(value, M2)
  return product ^ (product >>> 13)
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

function textWord(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  )
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
