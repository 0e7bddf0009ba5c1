import { describe, expect, it } from 'vitest'
import { AT } from '../../../src/wire/batch-layout.ts'
import { readControlBatch } from '../../../src/wire/control-record.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'
import { javaBatch } from './java-batches.ts'

const T = 1_357_027_200_000

describe('a control batch', () => {
  it('is a commit', () => {
    expect(readControlBatch(javaBatch('commit marker').bytes)).toEqual({
      kind: 'commit',
      producerId: 4711,
      producerEpoch: 3,
      coordinatorEpoch: 11,
      offset: 42,
      timestamp: T,
    })
  })

  it('is an abort', () => {
    expect(readControlBatch(javaBatch('abort marker').bytes)).toMatchObject({
      kind: 'abort',
      producerId: 4711,
      coordinatorEpoch: 12,
      offset: 43,
    })
  })

  it('is something of the brokers', () => {
    expect(readControlBatch(javaBatch('leader change').bytes)).toEqual({ kind: 'other', offset: 44 })
  })

  it('may have lost its record to compaction', () => {
    const bytes = Buffer.from(javaBatch('emptied by compaction').bytes)
    bytes.writeUInt16BE(0x30, AT.attributes)
    stampChecksum(bytes)
    expect(readControlBatch(bytes)).toBeUndefined()
  })

  it('is never a batch of records, whatever its keys look like', () => {
    expect(() => readControlBatch(javaBatch('mixed records, none').bytes)).toThrow(
      expect.objectContaining({ code: 'RECORD_BATCH_CORRUPT', message: 'it is not a control batch' }),
    )
  })

  it.each([
    ['no type', 'one record without anything'],
    ['no type', 'no timestamps'],
  ])('is refused when its record has %s', (what, name) => {
    const bytes = Buffer.from(javaBatch(name).bytes)
    bytes.writeUInt16BE(0x20, AT.attributes)
    stampChecksum(bytes)
    expect(() => readControlBatch(bytes)).toThrow(
      expect.objectContaining({ code: 'RECORD_BATCH_CORRUPT', message: expect.stringContaining(what) }),
    )
  })
})
