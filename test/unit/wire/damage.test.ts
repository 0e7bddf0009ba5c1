import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTidemarkError } from '../../../src/core/errors.ts'
import { AT } from '../../../src/wire/batch-layout.ts'
import { splitBatches } from '../../../src/wire/batch-split.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'
import { JAVA_BATCHES } from './java-batches.ts'
import { holds } from './property.ts'
import { asTexts, CODEC_NAMES, type PlainRecord, readAll, someRecords, writeAll } from './records.ts'

const NAMED = ['RECORD_BATCH_CORRUPT', 'RECORD_BATCH_UNSUPPORTED'] as const

/** The records, or the code of the error; any other error fails the test. */
function readOrCode(batch: Uint8Array): PlainRecord[] | string {
  try {
    return readAll(batch, new RecordCursor({ mostPlainBytes: 2 ** 24 }))
  } catch (error) {
    if (isTidemarkError(error) && NAMED.some((code) => code === error.code)) return error.code
    throw error
  }
}

const someBatch = fc.oneof(
  fc.tuple(someRecords, fc.constantFrom(...CODEC_NAMES)).map(([records, codec]) => writeAll(records, codec)),
  fc.constantFrom(...JAVA_BATCHES.map(({ bytes }) => bytes)),
)

/** Positions as parts of 1, so that they shrink and fit any batch. */
const somewhere = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('a batch with some bits turned', () => {
  it('is refused when the checksum covers them', () => {
    holds(
      fc.property(
        someBatch,
        fc.array(fc.tuple(somewhere, fc.nat(7)), { minLength: 1, maxLength: 3 }),
        (batch, bits) => {
          const damaged = Buffer.from(batch)
          for (const [where, bit] of bits) {
            const position = AT.crc + Math.floor(where * (batch.length - AT.crc))
            damaged.writeUInt8(damaged.readUInt8(position) ^ (1 << bit), position)
          }
          fc.pre(!damaged.equals(batch))
          expect(NAMED).toContain(readOrCode(damaged))
        },
      ),
      400,
    )
  })

  it('is refused, or gives its records at another offset, when the checksum does not cover them', () => {
    holds(
      fc.property(someRecords, fc.nat(AT.crc - 1), fc.nat(7), (records, position, bit) => {
        const damaged = writeAll(records)
        damaged.writeUInt8(damaged.readUInt8(position) ^ (1 << bit), position)
        const result = readOrCode(damaged)
        if (typeof result === 'string') return
        const [{ offset = 0 } = {}] = result
        const moved = records.map((row) => ({ ...row, offset: row.offset + offset }))
        expect(asTexts(result)).toEqual(asTexts(moved))
      }),
      300,
    )
  })
})

describe('a batch that is cut', () => {
  it('is refused', () => {
    holds(
      fc.property(someBatch, somewhere, (batch, where) => {
        expect(NAMED).toContain(readOrCode(batch.subarray(0, Math.floor(where * batch.length))))
      }),
      200,
    )
  })
})

/** Puts bytes over others, takes some out, or puts some in, then makes length and checksum right again. */
const someDamage = fc.record({
  from: somewhere,
  take: fc.nat(12),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 12 }),
    fc.constantFrom([0xff, 0xff, 0xff, 0xff, 0x0f], [0xfe, 0xff, 0xff, 0xff, 0x0f], [0x80], [0x7f, 0xff, 0xff, 0xff]),
  ),
})

describe('a damaged batch whose checksum is right', () => {
  it('ends with a named error, or reads as a batch whose records are in order', () => {
    holds(
      fc.property(someBatch, fc.array(someDamage, { minLength: 1, maxLength: 3 }), (batch, damages) => {
        let damaged = Buffer.from(batch)
        for (const { from, take, put } of damages) {
          const start = AT.attributes + Math.floor(from * (damaged.length - AT.attributes))
          damaged = Buffer.concat([damaged.subarray(0, start), Buffer.from(put), damaged.subarray(start + take)])
        }
        if (damaged.length < AT.records) damaged = Buffer.concat([damaged, Buffer.alloc(AT.records)])
        damaged.writeInt32BE(damaged.length - 12, AT.batchLength)
        stampChecksum(damaged)
        const result = readOrCode(damaged)
        if (typeof result === 'string') return
        expect(result).toHaveLength(damaged.readInt32BE(AT.recordCount))
        for (const [index, { offset, timestamp }] of result.entries()) {
          expect(Number.isSafeInteger(offset) && Number.isSafeInteger(timestamp)).toBe(true)
          if (index > 0) expect(offset).toBeGreaterThan(result[index - 1]?.offset ?? Number.NaN)
        }
      }),
      1500,
    )
  })
})

describe('bytes that are no batches', () => {
  it('are refused, or taken for a cut batch', () => {
    holds(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          const { headers, cutBytes } = splitBatches(bytes)
          expect(headers.reduce((sum, { length }) => sum + length, cutBytes)).toBe(bytes.length)
        } catch (error) {
          expect(NAMED.some((code) => isTidemarkError(error, code))).toBe(true)
        }
        expect(NAMED).toContain(readOrCode(bytes))
      }),
      300,
    )
  })
})
