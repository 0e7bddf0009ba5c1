import { describe, expect, it } from 'vitest'
import { AT } from '../../../src/wire/batch-layout.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampBaseOffset, stampChecksum } from '../../../src/wire/stamp.ts'
import { javaBatch } from './java-batches.ts'
import { type PlainRecord, readAll, writeAll } from './records.ts'

const record = (offset: number, value: string): PlainRecord => ({
  offset,
  timestamp: 1000 + offset,
  key: `k${offset}`,
  value: Buffer.from(value),
  headers: [],
})
const three = () => writeAll([record(0, 'a'), record(1, 'bb'), record(2, 'ccc')])

/** Three records after a change to their bytes; with `checksum` it is made right again. */
function changed(change: (bytes: Buffer) => Buffer | undefined, checksum = true): Buffer {
  const bytes = three()
  const result = change(bytes) ?? bytes
  if (checksum) stampChecksum(result)
  return result
}

/** A batch of one record that is these bytes, in one offset. */
function withPayload(payload: readonly number[], records = 1): Buffer {
  const bytes = Buffer.concat([three().subarray(0, AT.records), Buffer.from(payload)])
  bytes.writeInt32BE(bytes.length - 12, AT.batchLength)
  bytes.writeInt32BE(records, AT.recordCount)
  stampChecksum(bytes)
  return bytes
}

describe('a cursor', () => {
  it('gives positions in the batch itself, and nothing but views of it', () => {
    const cursor = new RecordCursor()
    const batch = three()
    cursor.open(batch)
    cursor.next()
    expect(cursor.bytes).toBe(batch)
    expect(batch.latin1Slice(cursor.valueStart, cursor.valueEnd)).toBe('a')
    expect(cursor.value()?.buffer).toBe(batch.buffer)
  })

  it.each(['none', 'zstd'] as const)('says where whole records lie, with %s', (codec) => {
    const cursor = new RecordCursor()
    cursor.open(writeAll([record(0, 'a'), record(1, 'bb'), record(2, 'ccc')], codec))
    const parts: Buffer[] = []
    while (cursor.next()) parts.push(cursor.bytes.subarray(cursor.recordStart, cursor.recordEnd))
    expect(Buffer.concat(parts)).toEqual(three().subarray(AT.records))
  })

  it('leaves what was taken from a record valid when it opens another batch', () => {
    const cursor = new RecordCursor()
    cursor.open(writeAll([record(0, 'first')], 'lz4'))
    cursor.next()
    const value = cursor.value() ?? []
    cursor.open(writeAll([record(0, 'other')], 'lz4'))
    cursor.next()
    expect(Buffer.from(value).toString()).toBe('first')
  })

  it('says false again after the last record, and before the first batch', () => {
    const cursor = new RecordCursor()
    expect(cursor.next()).toBe(false)
    cursor.open(three())
    for (let i = 0; i < 3; i++) expect(cursor.next()).toBe(true)
    expect(cursor.next()).toBe(false)
    expect(cursor.next()).toBe(false)
  })

  it('reads a batch from any kind of byte array', () => {
    const inLarger = new Uint8Array(500)
    inLarger.set(three(), 100)
    expect(readAll(inLarger.subarray(100, 100 + three().length))).toHaveLength(3)
  })

  it('reads a compressed batch that compaction has emptied', () => {
    const bytes = changed((batch) => {
      batch.writeUInt16BE(1, AT.attributes)
      batch.writeInt32BE(0, AT.recordCount)
      batch.writeInt32BE(AT.records - 12, AT.batchLength)
      return batch.subarray(0, AT.records)
    })
    expect(readAll(bytes)).toEqual([])
  })

  it('is the same after an error', () => {
    const cursor = new RecordCursor()
    expect(() => cursor.open(changed((batch) => void batch.writeUInt8(0xff, 70), false))).toThrow()
    expect(cursor.next()).toBe(false)
    expect(readAll(three(), cursor)).toHaveLength(3)
  })

  it('goes on with the offsets and times of the greatest exact integers', () => {
    const batch = three()
    stampBaseOffset(batch, Number.MAX_SAFE_INTEGER - 3)
    expect(readAll(batch).map(({ offset }) => offset)).toEqual([2, 1, 0].map((n) => Number.MAX_SAFE_INTEGER - 1 - n))
  })

  it('F4: keeps headers in order, repeated, null and binary, whatever their names', () => {
    const headers = readAll(javaBatch('mixed records, none').bytes)[6]?.headers
    expect(headers).toEqual([
      ['h', Buffer.from('1')],
      ['x', null],
      ['h', Buffer.from('2')],
      ['bin', Buffer.from('00ff80', 'hex')],
      ['constructor', Buffer.from('c')],
      ['10', Buffer.from('a')],
      ['9', Buffer.from('b')],
      ['__proto__', Buffer.from('p')],
      ['', Buffer.alloc(0)],
      ['é😀', Buffer.from('name')],
    ])
    expect(readAll(writeAll([{ ...record(0, 'v'), headers: headers ?? [] }]))[0]?.headers).toEqual(headers)
  })
})

describe('a damaged batch', () => {
  const at = { topic: 'flights', partition: 3, offset: 0 }

  it.each([
    ['nothing', () => Buffer.alloc(0), 'only 0 bytes are there'],
    ['a cut length', () => three().subarray(0, 11), 'only 11 bytes are there'],
    ['a cut batch', () => three().subarray(0, 80), 'only 80 bytes of 94 are there'],
    ['bytes after it', () => Buffer.concat([three(), Buffer.alloc(3)]), '3 bytes follow the batch'],
    ['a length below zero', () => changed((b) => void b.writeInt32BE(-1, AT.batchLength)), 'a batch of 11 bytes'],
    ['a length of no header', () => changed((b) => void b.writeInt32BE(48, AT.batchLength)), 'a batch of 60 bytes'],
    ['a huge length', () => changed((b) => void b.writeInt32BE(2 ** 31 - 1, AT.batchLength)), 'the batch is cut'],
    ['another format', () => changed((b) => void b.writeUInt8(3, AT.magic)), 'format number is 3'],
    [
      'one wrong bit',
      () => changed((b) => void b.writeUInt8(b.readUInt8(75) ^ 4, 75), false),
      'checksum does not match',
    ],
    ['a base offset that is not exact', () => changed((b) => void b.writeUInt8(0x7f, 0)), 'base offset'],
    ['a base offset below zero', () => changed((b) => void b.fill(0xff, 0, 8)), 'its base offset is -1'],
    ['a count below zero', () => changed((b) => void b.writeInt32BE(-1, AT.recordCount)), '-1 records do not fit'],
    ['more records than offsets', () => changed((b) => void b.writeInt32BE(4, AT.recordCount)), 'fit into 3 offsets'],
    ['offsets below zero', () => changed((b) => void b.writeInt32BE(-2, AT.lastOffsetDelta)), 'end -2 after'],
    [
      'more records than bytes',
      () => changed((b) => void (b.writeInt32BE(900, AT.recordCount) + b.writeInt32BE(900, AT.lastOffsetDelta))),
      '900 records do not fit into 901 offsets and 94 bytes',
    ],
    [
      'fewer records than bytes',
      () => changed((b) => void b.writeInt32BE(2, AT.recordCount)),
      'follow its last record',
    ],
    ['no records but bytes', () => changed((b) => void b.writeInt32BE(0, AT.recordCount)), '33 bytes follow'],
    ['a time that is not exact', () => changed((b) => void b.writeUInt8(0x40, AT.baseTimestamp)), 'base timestamp'],
    ['a codec over plain records', () => changed((b) => void b.writeUInt16BE(1, AT.attributes)), 'gzip payload cannot'],
    ['a record below zero', () => withPayload([0x01, 0, 0, 0, 1, 1, 0]), 'a record does not fit'],
    ['a record past the end', () => withPayload([0x10, 0, 0, 0, 1, 1, 0]), 'a record does not fit'],
    ['a length without end', () => withPayload([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 'number does not end'],
    ['a key past the record', () => withPayload([0x0c, 0, 0, 0, 4, 1, 0]), 'number does not end'],
    ['a record too short for its parts', () => withPayload([0x08, 0, 0, 0, 1, 1, 0]), 'do not fill it'],
    ['a huge key', () => withPayload([0x14, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1, 0]), 'number does not end'],
    ['a record too long for its parts', () => withPayload([0x0e, 0, 0, 0, 1, 1, 0, 0]), 'do not fill it'],
    ['headers that cannot fit', () => withPayload([0x0e, 0, 0, 0, 1, 1, 4, 0]), 'do not fill it'],
    ['a count of headers below zero', () => withPayload([0x0c, 0, 0, 0, 1, 1, 1]), 'do not fill it'],
    ['an offset past the batch', () => withPayload([0x0c, 0, 0, 6, 1, 1, 0]), 'out of order'],
    ['an offset below the batch', () => withPayload([0x0c, 0, 0, 1, 1, 1, 0]), 'out of order'],
    ['an offset twice', () => withPayload([0x0c, 0, 0, 0, 1, 1, 0, 0x0c, 0, 0, 0, 1, 1, 0], 2), 'record 1'],
    [
      'a header name past the record',
      () => withPayload([0x12, 0, 0, 0, 1, 1, 2, 0x08, 1, 1]),
      'headers of a record are damaged',
    ],
    ['a header name below zero', () => withPayload([0x10, 0, 0, 0, 1, 1, 2, 1, 1]), 'headers of a record are damaged'],
    ['bytes after headers', () => withPayload([0x12, 0, 0, 0, 1, 1, 2, 0, 1, 9]), 'headers of a record are damaged'],
  ])('with %s is refused', (_, make, message) => {
    expect(() => readAll(make())).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_CORRUPT',
        message: expect.stringContaining(message),
        hint: expect.stringContaining('damaged'),
        at: expect.objectContaining({ topic: 'flights', partition: 3 }),
      }),
    )
  })

  it('is named with its offset', () => {
    const bytes = three()
    stampBaseOffset(bytes, 77)
    bytes.writeUInt8(0xff, 80)
    expect(() => readAll(bytes)).toThrow(expect.objectContaining({ at: { ...at, offset: 77 } }))
  })
})

describe('a codec that nobody knows', () => {
  it('is refused by name, with its number and place', () => {
    const bytes = changed((batch) => void batch.writeUInt16BE(5, AT.attributes))
    expect(() => readAll(bytes)).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_UNSUPPORTED',
        message: 'compression codec 5 is not known',
        at: { topic: 'flights', partition: 3, offset: 0 },
      }),
    )
  })
})
