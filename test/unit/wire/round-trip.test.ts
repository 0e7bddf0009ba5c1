import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampBaseOffset } from '../../../src/wire/stamp.ts'
import { holds } from './property.ts'
import { asTexts, CODEC_NAMES, readAll, someRecords, writeAll } from './records.ts'

// One of each for all cases: what is left of one batch must not show in the next.
const writer = new BatchWriter()
const cursor = new RecordCursor()

describe.each(CODEC_NAMES)('what is written with %s', (codec) => {
  it('is read again, record for record', () => {
    holds(
      fc.property(someRecords, (records) => {
        expect(asTexts(readAll(writeAll(records, codec, writer), cursor))).toEqual(asTexts(records))
      }),
      60,
    )
  })
})

describe('what is written', () => {
  it('has the size that the writer said, and its number of records', () => {
    holds(
      fc.property(someRecords, (records) => {
        for (const { timestamp, key, value, headers } of records) writer.append(timestamp, key, value, headers)
        const { records: count, sizeBytes } = writer
        const batch = writer.finish()
        cursor.open(batch)
        expect({ length: batch.length, records: cursor.header.records }).toEqual({ length: sizeBytes, records: count })
        expect(cursor.header.maxTimestamp).toBe(Math.max(...records.map(({ timestamp }) => timestamp)))
        expect({ records: writer.records, sizeBytes: writer.sizeBytes }).toEqual({ records: 0, sizeBytes: 61 })
      }),
      100,
    )
  })

  it('keeps its records under another base offset', () => {
    holds(
      fc.property(someRecords, fc.nat(2 ** 53 - 100), (records, base) => {
        const batch = writeAll(records, 'none', writer)
        stampBaseOffset(batch, base)
        const moved = records.map((row) => ({ ...row, offset: row.offset + base }))
        expect(asTexts(readAll(batch, cursor))).toEqual(asTexts(moved))
      }),
      60,
    )
  })
})
