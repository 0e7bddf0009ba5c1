import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import { asBytes } from '../../../src/serde/as-bytes.ts'
import { buffered } from '../../../src/serde/buffered.ts'
import { bytes } from '../../../src/serde/bytes.ts'
import {
  combinedKey,
  combinedKeySerde,
  foreignPrefix,
  keyOfCombined,
} from '../../../src/serde/foreign-key/combined-key.ts'
import { INSTRUCTIONS, subscriptionSerde } from '../../../src/serde/foreign-key/subscription.ts'
import { subscriptionAnswerSerde } from '../../../src/serde/foreign-key/subscription-answer.ts'
import { json } from '../../../src/serde/json/json.ts'
import { nullable } from '../../../src/serde/nullable.ts'
import { string } from '../../../src/serde/string.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { throughBytes, throughKey } from './round-trip.ts'

const runs = propertyRuns(200)
const text = fc.string({ unit: 'binary' })

describe('values that may be null', () => {
  it('come back as they were, whatever their bytes', () => {
    const bytesOrNull = fc.option(
      fc.oneof(fc.uint8Array(), fc.constant(new Uint8Array([0])), fc.constant(new Uint8Array([0, 0]))),
    )
    fc.assert(
      fc.property(bytesOrNull, (value) => {
        const back = throughBytes(nullable(bytes()), value)
        expect(back === null ? null : [...back]).toEqual(value === null ? null : [...value])
      }),
      runs,
    )
  })

  it('are their own bytes in JSON', () => {
    expect(Buffer.from(nullable(json()).encode({ a: 1 })).toString()).toBe('{"a":1}')
    expect(nullable(json()).encode(null)).toHaveLength(0)
  })
})

it('records that wait come back with their headers', () => {
  const headers = fc.array(fc.tuple(text, fc.option(fc.uint8Array())))
  fc.assert(
    fc.property(text, headers, (value, given) => {
      const back = throughBytes(buffered(string()), { value, headers: given })
      expect(back.value).toBe(value)
      expect(back.headers.map(([name, bytes]) => [name, bytes === null ? null : [...bytes]])).toEqual(
        given.map(([name, bytes]) => [name, bytes === null ? null : [...bytes]]),
      )
    }),
    runs,
  )
})

describe('combined keys', () => {
  const serde = combinedKeySerde(string(), json<number>())

  it('come back, and give the row its own key', () => {
    fc.assert(
      fc.property(text, fc.integer(), (foreignKey, key) => {
        expect(throughKey(serde, { foreignKey, key })).toEqual({ foreignKey, key })
        expect(throughBytes(serde, { foreignKey, key })).toEqual({ foreignKey, key })
        const combined = combinedKey(utf8ByteString(foreignKey), utf8ByteString(String(key)))
        expect(keyOfCombined(combined)).toBe(String(key))
      }),
      runs,
    )
  })

  it('lie together by foreign key: no key begins with the prefix of another foreign key', () => {
    fc.assert(
      fc.property(text, text, text, (one, other, key) => {
        const combined = combinedKey(utf8ByteString(one), utf8ByteString(key))
        expect(combined.startsWith(foreignPrefix(utf8ByteString(other)))).toBe(one === other)
      }),
      runs,
    )
  })

  it('hold foreign keys of any length', () => {
    const foreignKey = 'x'.repeat(70_000)
    expect(throughKey(serde, { foreignKey, key: 5 })).toEqual({ foreignKey, key: 5 })
  })
})

it('subscriptions and their answers come back', () => {
  const hash = fc.option(fc.stringMatching(/^[0-9a-f]{16}$/))
  fc.assert(
    fc.property(fc.constantFrom(...INSTRUCTIONS), hash, text, fc.option(text), (instruction, given, key, value) => {
      const subscription = { instruction, hash: given, key: utf8ByteString(key) }
      expect(throughBytes(subscriptionSerde(), subscription)).toEqual(subscription)
      expect(throughBytes(subscriptionAnswerSerde(string()), { hash: given, value })).toEqual({ hash: given, value })
    }),
    runs,
  )
})

it('keys that stay in their bytes are the same bytes', () => {
  const serde = asBytes(json())
  expect(throughKey(serde, utf8ByteString('{ "é": 1 }'))).toBe(utf8ByteString('{ "é": 1 }'))
  expect(serde.format).toBe('json')
})
