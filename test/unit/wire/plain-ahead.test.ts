import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AT } from '../../../src/wire/batch-layout.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { makePlainAhead, plainAheadBytes, plainRecords } from '../../../src/wire/plain-ahead.ts'
import { readAll } from './records.ts'

function batch(number: number, codec: CodecName = 'gzip'): Buffer {
  const writer = new BatchWriter()
  for (let n = 0; n < 100; n++) writer.append(n, `${number}-${n}`, Buffer.from('value'.repeat(n)), [])
  return writer.finish(codec)
}

const BATCHES = [0, 1, 2, 3]

describe('batches that are decompressed ahead', () => {
  it('are read as if they were not', async () => {
    const batches = BATCHES.map((number) => batch(number))
    await makePlainAhead(batches)
    for (const [number, each] of batches.entries()) {
      expect(plainRecords(each)?.length).toBe(plainAheadBytes(each))
      expect(readAll(each)).toEqual(readAll(batch(number)))
    }
  })

  it('are so where another thread can do it: with gzip alone', async () => {
    for (const codec of ['none', 'snappy', 'lz4', 'zstd'] as const) {
      const other = batch(0, codec)
      expect(plainAheadBytes(other)).toBe(0)
      await makePlainAhead([other])
      expect(plainRecords(other)).toBeUndefined()
      expect(readAll(other)).toEqual(readAll(batch(0)))
    }
    const empty = batch(0).subarray(0, AT.records)
    expect(plainAheadBytes(empty)).toBe(0)
  })

  it('are left to whoever opens them where one is damaged, which is the one that is told', async () => {
    const batches = BATCHES.map((number) => batch(number))
    const damaged = batches[2] as Buffer
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 20) ^ 0xff, damaged.length - 20)
    await makePlainAhead(batches)
    expect(() => readAll(damaged)).toThrow('checksum')
    for (const number of [0, 1, 3]) expect(readAll(batches[number] as Buffer)).toEqual(readAll(batch(number)))
  })

  it('are left to whoever opens them where a payload is more than its trailer says', async () => {
    const plain = batch(1, 'none').subarray(AT.records)
    const halves = [plain.subarray(0, 1000), plain.subarray(1000)].map((half) => gzipSync(half))
    const odd = Buffer.concat([batch(1).subarray(0, AT.records), ...halves])
    await makePlainAhead([odd, batch(2)])
    expect(plainRecords(odd)).toBeUndefined()
  })
})
