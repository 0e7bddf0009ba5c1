import { describe, expect, it } from 'vitest'
import { batchBytes, splitBatches } from '../../../src/wire/batch-split.ts'
import { stampBaseOffset } from '../../../src/wire/stamp.ts'
import { javaBatch } from './java-batches.ts'
import { readAll } from './records.ts'

const first = javaBatch('mixed records, none').bytes
const second = javaBatch('compacted to holes, lz4').bytes
const third = javaBatch('commit marker').bytes
const all = Buffer.concat([first, second, third])

describe('batches that lie one after the other', () => {
  it('are found, with their positions and offsets', () => {
    const { headers, cutBytes, cutBatchBytes } = splitBatches(all)
    expect(headers).toMatchObject([
      { position: 0, length: first.length, baseOffset: 0, nextOffset: 10, isControl: false },
      { position: first.length, length: second.length, baseOffset: 500, nextOffset: 510, codec: 'lz4' },
      { position: first.length + second.length, length: third.length, baseOffset: 42, isControl: true },
    ])
    expect([cutBytes, cutBatchBytes]).toEqual([0, 0])
    expect(headers.map((header) => Buffer.from(batchBytes(all, header)))).toEqual([first, second, third])
  })

  it('may end with a cut one, wherever it is cut', () => {
    for (let length = first.length + 1; length < first.length + second.length; length++) {
      const { headers, cutBytes, cutBatchBytes } = splitBatches(all.subarray(0, length))
      expect(headers).toHaveLength(1)
      expect(cutBytes).toBe(length - first.length)
      expect(cutBatchBytes).toBe(cutBytes < 12 ? 0 : second.length)
    }
  })

  it('may be none', () => {
    expect(splitBatches(new Uint8Array(0))).toEqual({ headers: [], cutBytes: 0, cutBatchBytes: 0 })
  })

  it('can be opened one by one', () => {
    const { headers } = splitBatches(all)
    expect(headers.map((header) => readAll(batchBytes(all, header)).length)).toEqual([10, 3, 1])
  })

  it('give offsets past the holes that compaction left', () => {
    const holes = Buffer.from(second)
    stampBaseOffset(holes, 700)
    expect(splitBatches(holes).headers[0]?.nextOffset).toBe(710)
    expect(readAll(holes).at(-1)?.offset).toBeLessThan(709)
  })

  it('are refused by name where a length is damaged or the format is old', () => {
    const damaged = Buffer.from(all)
    damaged.writeInt32BE(-5, first.length + 8)
    expect(() => splitBatches(damaged, { topic: 't', partition: 0 })).toThrow(
      expect.objectContaining({ code: 'RECORD_BATCH_CORRUPT', at: { topic: 't', partition: 0 } }),
    )
    expect(() => splitBatches(javaBatch('message format 1').bytes)).toThrow(
      expect.objectContaining({ code: 'RECORD_BATCH_UNSUPPORTED' }),
    )
  })
})
