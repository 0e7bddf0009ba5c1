import { type ByteString, fromByteString, toByteString } from '../../core/bytes.ts'
import type { Serde } from '../serde.ts'

/** What the row of a left table asks of the row of a right one. */
export const INSTRUCTIONS = ['answer', 'answer-if-there', 'forget', 'forget-and-answer'] as const

/**
 * - `answer`: remember who asks, and answer now, with null where there is no row.
 * - `answer-if-there`: remember who asks, and answer now, if there is a row.
 * - `forget`, `forget-and-answer`: no longer remember, and answer with null, or not at all.
 */
export type Instruction = (typeof INSTRUCTIONS)[number]

/** A left row's question, on its way to the right row of its foreign key. */
export interface Subscription {
  readonly instruction: Instruction
  /** Tells the left row's value, as it was, from others; null where it was deleted. */
  readonly hash: string | null
  /** The bytes of the left row's key. */
  readonly key: ByteString
}

/** Version 1: the version, the instruction, the length of the hash (0 for null), the hash, the key. */
export function subscriptionSerde(): Serde<Subscription> {
  return SERDE
}

const VERSION = 1

const SERDE: Serde<Subscription> = Object.freeze({
  format: 'subscription@1',
  encode: ({ instruction, hash, key }: Subscription): Uint8Array => {
    const text = hash ?? ''
    const start = String.fromCharCode(VERSION, INSTRUCTIONS.indexOf(instruction), text.length)
    return fromByteString(start + text + key)
  },
  decode: (bytes: Uint8Array, start: number, end: number): Subscription => {
    const text = toByteString(bytes, start, end)
    const keyAt = 3 + text.charCodeAt(2)
    return {
      instruction: INSTRUCTIONS[text.charCodeAt(1)] ?? 'answer',
      hash: keyAt === 3 ? null : text.slice(3, keyAt),
      key: text.slice(keyAt),
    }
  },
})
