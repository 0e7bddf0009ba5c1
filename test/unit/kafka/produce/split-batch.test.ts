import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitBatch } from '../../../../src/adapters/kafka/produce/split-batch.ts'
import { readCheckedHeader } from '../../../../src/wire/checked-header.ts'
import { batchOf, recordsOf, type TestRecord } from '../../../contract/log/records.ts'
import { propertyRuns } from '../../../fixtures/property-runs.ts'

const AT = { topic: 't', partition: 0 }

function contentOf(bytes: Uint8Array): readonly TestRecord[] {
  const read = recordsOf([{ batches: [bytes], nextOffset: 1 }], 0, 1_000_000)
  return read.map(({ key, value, timestamp, headers }) => ({ key, value, timestamp, headers }))
}

it('two halves hold the records of the whole, in their order, with headers, times and codec', async () => {
  const text = fc.string({
    maxLength: 40,
    unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCharCode(byte)),
  })
  const records = fc.array(
    fc.record({
      key: fc.option(text),
      value: fc.option(text),
      timestamp: fc.integer({ min: -1, max: 10_000 }),
      headers: fc.array(
        fc.tuple(fc.string({ maxLength: 3 }), fc.option(text.map((each) => Buffer.from(each, 'latin1')))),
      ),
    }),
    { minLength: 2, maxLength: 20 },
  )
  const property = fc.property(records, fc.constantFrom('none' as const, 'gzip' as const), (records, codec) => {
    const whole = batchOf(AT, records, codec).bytes
    const parts = splitBatch(whole, AT)
    expect(parts.map(({ bytes }) => readCheckedHeader(bytes).records)).toEqual(parts.map(({ records }) => records))
    expect(parts.every(({ records }) => records > 0)).toBe(true)
    expect(parts.map(({ bytes }) => readCheckedHeader(bytes).codec)).toEqual([codec, codec])
    expect(parts.flatMap(({ bytes }) => contentOf(bytes))).toEqual(contentOf(whole))
  })
  fc.assert(property, propertyRuns(200))
})

it('a batch of many equal records is halved', () => {
  const records = Array.from({ length: 1000 }, () => ({ key: 'k', value: 'v'.repeat(100), timestamp: 0 }))
  const [first, second] = splitBatch(batchOf(AT, records).bytes, AT)
  expect(first.records).toBeGreaterThan(450)
  expect(second.records).toBeGreaterThan(450)
})

it('one record is no two', () => {
  const one = batchOf(AT, [{ key: 'k', value: 'v', timestamp: 0 }]).bytes
  expect(() => splitBatch(one, AT)).toThrow()
})
