import { type ByteString, fromByteString, toByteString } from '../../core/bytes.ts'
import type { Serde } from '../serde.ts'

/** The right row, on its way back to a left row that has asked for it. */
export interface SubscriptionAnswer {
  /** As it came with the subscription: an answer to a value that is no longer the left row's is of no use. */
  readonly hash: string | null
  /** Null where there is no right row. */
  readonly value: unknown
}

/** Version 1: the version, whether there is a value, the length of the hash (0 for null), the hash, the value. */
export function subscriptionAnswerSerde(value: Serde<unknown>): Serde<SubscriptionAnswer> {
  return Object.freeze({
    format: `subscription-answer@1 of ${value.format}`,
    encode: (answer: SubscriptionAnswer): Uint8Array => {
      const { hash } = answer
      const text = hash ?? ''
      const start: ByteString = String.fromCharCode(VERSION, answer.value === null ? 0 : 1, text.length) + text
      const bytes = answer.value === null ? new Uint8Array(0) : value.encode(answer.value)
      return Buffer.concat([fromByteString(start), bytes])
    },
    decode: (bytes: Uint8Array, start: number, end: number): SubscriptionAnswer => {
      const [, there, length = 0] = bytes.subarray(start, start + 3)
      const valueAt = start + 3 + length
      return {
        hash: length === 0 ? null : toByteString(bytes, start + 3, valueAt),
        value: there === 1 ? value.decode(bytes, valueAt, end) : null,
      }
    },
  })
}

const VERSION = 1
