import { expect, it } from 'vitest'
import { Inflation, piecesOf } from '../../../src/adapters/kafka/reader/inflation.ts'
import { readBatchHeader } from '../../../src/wire/batch-header.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { plainRecords } from '../../../src/wire/plain-ahead.ts'
import { stampBaseOffset } from '../../../src/wire/stamp.ts'

const RECORD_BYTES = 300_000

function batches(count: number, codec: CodecName): Buffer[] {
  return Array.from({ length: count }, (_, offset) => {
    const writer = new BatchWriter()
    writer.append(0, 'k', Buffer.alloc(RECORD_BYTES, offset), [])
    const batch = writer.finish(codec)
    stampBaseOffset(batch, offset)
    return batch
  })
}

const nextOffsetOf = (batch: Buffer) => readBatchHeader(batch).nextOffset

it('a chunk comes in pieces of about a megabyte, which together are all of it', () => {
  const all = batches(10, 'gzip')
  const bytes = 100_000
  const pieces = piecesOf({ batches: all, nextOffset: 17 }, nextOffsetOf, bytes)
  expect(pieces.map(({ chunk }) => chunk.batches.length)).toEqual([4, 4, 2])
  expect(pieces.flatMap(({ chunk }) => chunk.batches)).toEqual(all)
  expect(pieces.map(({ chunk }) => chunk.nextOffset)).toEqual([4, 8, 17])
  expect(pieces.reduce((sum, piece) => sum + piece.bytes, 0)).toBe(bytes)
})

it('what is not compressed, or short, or has no batch, stays as it is', () => {
  for (const some of [batches(10, 'none'), batches(10, 'lz4'), []]) {
    const chunk = { batches: some, nextOffset: 17 }
    expect(piecesOf(chunk, nextOffsetOf, 5)).toEqual([{ chunk, bytes: 5, plainBytes: 0 }])
  }
  const writer = new BatchWriter()
  writer.append(0, 'k', Buffer.alloc(1000), [])
  const short = { batches: [writer.finish('gzip')], nextOffset: 1 }
  expect(piecesOf(short, nextOffsetOf, 5)).toEqual([{ chunk: short, bytes: 5, plainBytes: 0 }])
})

it('is decompressed ahead within the bound, and is so when it is taken', async () => {
  const pieces = piecesOf({ batches: batches(12, 'gzip'), nextOffset: 12 }, nextOffsetOf, 0)
  const [first, second, third] = pieces as [(typeof pieces)[0], (typeof pieces)[0], (typeof pieces)[0]]
  const inflation = new Inflation(2.5 * 1024 * 1024)
  for (const piece of [first, second, third, first]) inflation.begin(piece)
  expect(inflation.heldBytes).toBe(first.plainBytes + second.plainBytes)
  await inflation.taken(third)
  await inflation.taken(first)
  expect(inflation.heldBytes).toBe(second.plainBytes)
  const isPlain = ({ chunk }: typeof first) => chunk.batches.map((batch) => plainRecords(batch) !== undefined)
  expect(isPlain(first)).toEqual([true, true, true, true])
  expect(isPlain(third)).toEqual([false, false, false, false])
})
