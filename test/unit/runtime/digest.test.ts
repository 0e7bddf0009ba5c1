import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toByteString } from '../../../src/core/bytes.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import { Digest } from '../../../src/runtime/digest/digest.ts'
import { digestValue } from '../../../src/runtime/digest/digest-value.ts'
import { InputDigest } from '../../../src/runtime/digest/input-digest.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

const BYTES = fc.uint8Array({ maxLength: 40 })

function ofBytes(...all: readonly Uint8Array[]): string {
  const digest = new Digest()
  for (const bytes of all) digest.bytes(bytes)
  return digest.toString()
}

describe('a digest', () => {
  it('is the same for the same bytes in whatever form they come', () => {
    fc.assert(
      fc.property(BYTES, fc.nat(5), (bytes, before) => {
        const text = new Digest()
        text.text(toByteString(bytes))
        const view = new Digest()
        const lying = Buffer.concat([Buffer.alloc(before), bytes])
        view.view(new DataView(lying.buffer, lying.byteOffset, lying.length), before, lying.length)
        expect([text.toString(), view.toString()]).toEqual([ofBytes(bytes), ofBytes(bytes)])
      }),
      propertyRuns(100),
    )
  })

  it('goes on from where it was', () => {
    fc.assert(
      fc.property(BYTES, BYTES, (one, other) => {
        const later = new Digest(ofBytes(one))
        later.bytes(other)
        expect(later.toString()).toBe(ofBytes(one, other))
      }),
      propertyRuns(100),
    )
  })

  it('differs where a byte, the order, or the place where one ends and the next begins does', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 40 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, by) => {
          const changed = Uint8Array.from(bytes)
          changed[at % bytes.length] = ((bytes[at % bytes.length] ?? 0) + by) % 256
          expect(ofBytes(changed)).not.toBe(ofBytes(bytes))
          expect(ofBytes(bytes, changed)).not.toBe(ofBytes(changed, bytes))
          expect(ofBytes(bytes.subarray(0, 1), bytes.subarray(1))).not.toBe(ofBytes(bytes))
        },
      ),
      propertyRuns(200),
    )
  })

  it('tells numbers apart', () => {
    const numbers = [0, 1, -1, 2 ** 31, 2 ** 32, 2 ** 52 + 1, -(2 ** 40), 0.5, 1.5, Number.MAX_VALUE, Number.NaN]
    const seen = numbers.map((number) => {
      const digest = new Digest()
      digest.number(number)
      return digest.toString()
    })
    expect(new Set(seen).size).toBe(numbers.length)
  })

  it('of a value is the same for what JSON makes of it', () => {
    const of = (value: unknown) => {
      const digest = new Digest()
      digestValue(digest, value)
      return digest.toString()
    }
    const again = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
    for (const value of [1, -0, 'text', true, { a: 1, b: undefined, c: [1, 2, { d: null }] }, [], {}]) {
      expect(of(again(value))).toBe(of(value))
    }
    expect(of({ a: 1 })).not.toBe(of({ a: 2 }))
    expect(of([1, 2, 3, 4, 5, 6])).not.toBe(of([1, 2, 3, 4, 5, 7]))
  })

  it('of input is over its records, however they are batched', () => {
    const record = fc.tuple(fc.option(fc.string({ maxLength: 12 })), fc.option(BYTES), fc.nat(1e6))
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (records, size) => {
          const digestOf = (batchRecords: number): string => {
            const digest = new InputDigest()
            const cursor = new RecordCursor()
            for (let at = 0; at < records.length; at += batchRecords) {
              const writer = new BatchWriter()
              for (const [key, value, time] of records.slice(at, at + batchRecords)) {
                writer.append(time, key === null ? null : toByteString(Buffer.from(key)), value, NO_HEADERS)
              }
              const bytes = Buffer.from(writer.finish())
              bytes.writeBigInt64BE(BigInt(at))
              for (cursor.open(bytes); cursor.next(); ) digest.take(cursor)
            }
            return digest.toString()
          }
          expect(digestOf(size)).toBe(digestOf(12))
        },
      ),
      propertyRuns(100),
    )
  })
})
