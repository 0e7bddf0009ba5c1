import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../../../src/adapters/kafka/protocol/byte-reader.ts'
import { ByteWriter } from '../../../src/adapters/kafka/protocol/byte-writer.ts'
import { fetchRequest } from '../../../src/adapters/kafka/protocol/fetch.ts'
import { metadataRequest } from '../../../src/adapters/kafka/protocol/metadata.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

function written(write: (to: ByteWriter) => void): string {
  const writer = new ByteWriter()
  write(writer)
  return writer.bytes.toString('hex')
}

describe('fields of requests and answers', () => {
  it('are written as the protocol has them', () => {
    expect(written((to) => to.int8(-1).int16(-2).int32(258).int64(-3).bool(true))).toBe(
      'ff' + 'fffe' + '00000102' + 'fffffffffffffffd' + '01',
    )
    expect(written((to) => to.uvarint(0).uvarint(127).uvarint(128).uvarint(300))).toBe('00' + '7f' + '8001' + 'ac02')
    expect(written((to) => to.string('é').string(null).string(''))).toBe('03c3a9' + '00' + '01')
    expect(
      written((to) =>
        to
          .array([1, 2], (each) => to.int8(each))
          .array(null, () => {})
          .tags(),
      ),
    ).toBe('030102' + '00' + '00')
  })

  it('read as they were written, however much there is', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 })
    const values = fc.array(fc.tuple(text, fc.option(text, { nil: null }), fc.maxSafeInteger(), fc.boolean()))
    const property = fc.property(values, fc.uint8Array({ maxLength: 70_000 }), (items, bytes) => {
      const writer = new ByteWriter()
      writer.array(items, ([a, b, number, flag]) => writer.string(a).string(b).int64(number).bool(flag).tags())
      writer.buffer(bytes).tags()
      const reader = new ByteReader(writer.bytes)
      const read = reader.array(() => {
        const item = [reader.string(), reader.nullableString(), reader.int64(), reader.bool()]
        reader.tags()
        return item
      })
      const wellFormed = (each: string | null) => each && Buffer.from(each).toString()
      expect(read).toEqual(items.map(([a, b, ...rest]) => [wellFormed(a), wellFormed(b), ...rest]))
      expect(reader.buffer()).toEqual(Buffer.from(bytes))
    })
    fc.assert(property, propertyRuns(50))
  })

  it('that end too early are a RangeError, and numbers that are not exact IO_FAILED', () => {
    expect(() => new ByteReader(Buffer.from('05aabb', 'hex')).string()).toThrow(RangeError)
    expect(() => new ByteReader(Buffer.from('00', 'hex')).int64()).toThrow(RangeError)
    expect(() => new ByteReader(Buffer.from('ffffffffffff', 'hex')).uvarint()).toThrow(RangeError)
    expect(() => new ByteReader(Buffer.from('7fffffffffffffff', 'hex')).int64()).toThrowError(
      expect.objectContaining({ code: 'IO_FAILED' }),
    )
  })

  it('tagged fields that are not known are passed', () => {
    const bytes = Buffer.from('02' + '0702aabb' + '0001cc' + '2a', 'hex')
    const reader = new ByteReader(bytes)
    const seen: number[] = []
    reader.tags((tag, field) => tag === 0 && seen.push(field.int8()))
    expect(seen).toEqual([-0x34])
    expect(reader.int8()).toBe(42)
  })

  it('metadata never asks for a topic to be made', () => {
    expect(written((to) => metadataRequest(['t']).write(to))).toBe(`02${'00'.repeat(16)}027400000000`)
    expect(written((to) => metadataRequest(undefined).write(to))).toBe('00' + '00' + '00' + '00')
  })

  it('a fetch keeps the order of its partitions, although topics come again', () => {
    const [a, b] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)]
    const fetch = (topicId: Buffer, partition: number) => {
      return { topicId, partition, offset: 0, leaderEpoch: 0, lastEpoch: -1, maxBytes: 1 }
    }
    const bytes = written((to) =>
      fetchRequest([fetch(a, 1), fetch(b, 2), fetch(b, 3), fetch(a, 4)], 'read_committed', 9).write(to),
    )
    const topics = [...bytes.matchAll(/(01|02)\1{15}/g)].map(([, topic]) => topic)
    expect(topics).toEqual(['01', '02', '01'])
  })
})
