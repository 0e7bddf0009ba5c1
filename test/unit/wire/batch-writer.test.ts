import { describe, expect, it } from 'vitest'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { readAll } from './records.ts'

describe('a batch writer', () => {
  it('is empty at first, but for the header', () => {
    const writer = new BatchWriter()
    expect([writer.records, writer.sizeBytes]).toEqual([0, 61])
    expect(() => writer.finish()).toThrow('without records')
  })

  it('keeps nothing of a value', () => {
    const writer = new BatchWriter()
    const value = Buffer.from('before')
    writer.append(0, null, value, NO_HEADERS)
    value.fill('x')
    expect(readAll(writer.finish())[0]?.value).toEqual(Buffer.from('before'))
  })

  it('leaves a finished batch alone', () => {
    const writer = new BatchWriter()
    writer.append(5, 'first', null, NO_HEADERS)
    const first = writer.finish()
    const copy = Buffer.from(first)
    writer.append(7, 'other', null, NO_HEADERS)
    writer.finish()
    expect(first).toEqual(copy)
  })

  it('takes a record larger than all before it', () => {
    const writer = new BatchWriter()
    const large = Buffer.alloc(5_000_000, 'abc')
    writer.append(0, 'k', Buffer.from('small'), NO_HEADERS)
    writer.append(0, 'k', large, [['h', large]])
    const [, record] = readAll(writer.finish())
    expect(record?.value?.length).toBe(large.length)
    expect(record?.headers[0]?.[1]?.length).toBe(large.length)
  })

  it.each([-2, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])(
    'refuses the timestamp %d by name and stays as it was',
    (timestamp) => {
      const writer = new BatchWriter()
      expect(() => writer.append(timestamp, null, null, NO_HEADERS)).toThrow(
        expect.objectContaining({ code: 'TIMESTAMP_INVALID', hint: expect.stringContaining('1970') }),
      )
      expect([writer.records, writer.sizeBytes]).toEqual([0, 61])
    },
  )

  it('takes bytes for keys, and no texts that would lose some', () => {
    const writer = new BatchWriter()
    writer.append(0, '\u00ff\u0080', null, NO_HEADERS)
    expect(() => writer.append(0, 'k\u0141', null, NO_HEADERS)).toThrow('is a text')
    expect(readAll(writer.finish()).map(({ key }) => key)).toEqual(['\u00ff\u0080'])
  })
})
