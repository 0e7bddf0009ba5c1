import { describe, expect, it } from 'vitest'
import { Compaction } from '../../../src/adapters/log-rules/compaction.ts'
import { keyText } from '../../../src/adapters/log-rules/key-text.ts'
import { retentionOffset } from '../../../src/adapters/log-rules/retention.ts'
import { readBatchHeader } from '../../../src/wire/batch-header.ts'
import { batchOf, record } from '../../contract/log/records.ts'

const at = { topic: 't', partition: 0 }

describe('a key for people', () => {
  it.each([
    [null, 'no key'],
    ['', 'key ""'],
    ['AA', 'key "AA"'],
    ['M\xc3\xbcnchen', 'key "München"'],
    ['\x80\xff', 'key 0x80ff'],
    ['a\0', 'key 0x6100'],
    ['x'.repeat(100), `key "${'x'.repeat(59)}…`],
  ])('%j is %s', (key, text) => expect(keyText(key)).toBe(text))
})

describe('compaction of a batch', () => {
  const batch = batchOf(at, [record('a', '1', 50), record('b', '1', 90), record('a', '2', 70)])
  const later = Buffer.from(batchOf(at, [record('b', '2', 10)]).bytes)
  later.writeBigInt64BE(3n, 0)

  it('keeps the offsets that the batch spans, and finds its greatest time anew', () => {
    const compaction = new Compaction(at)
    compaction.note(batch.bytes)
    compaction.note(later)
    const reduced = compaction.reduce(batch.bytes)
    const header = readBatchHeader(Buffer.from(reduced ?? []))
    expect(header).toMatchObject({ baseOffset: 0, nextOffset: 3, records: 1, baseTimestamp: 50, maxTimestamp: 70 })
    expect(compaction.reduce(later)).toBe(later)
  })

  it('gives the same bytes where nothing goes, and nothing where all goes', () => {
    const compaction = new Compaction(at)
    const unique = batchOf(at, [record('x'), record('y')]).bytes
    compaction.note(unique)
    expect(compaction.reduce(unique)).toBe(unique)
    const newer = Buffer.from(unique)
    newer.writeBigInt64BE(2n, 0)
    compaction.note(newer)
    expect(compaction.reduce(unique)).toBeUndefined()
  })

  it('leaves alone what came after the first pass', () => {
    const compaction = new Compaction(at)
    compaction.note(batch.bytes)
    expect(compaction.reduce(later)).toBe(later)
  })
})

describe('retention', () => {
  const batches = [
    { nextOffset: 10, maxTimestamp: 100, bytes: 50 },
    { nextOffset: 20, maxTimestamp: 300, bytes: 50 },
    { nextOffset: 30, maxTimestamp: 200, bytes: 50 },
  ]
  const offset = (settings: Record<string, string>, nowMs = 1000, logStart = 5) =>
    retentionOffset(batches, 150, logStart, settings, nowMs)

  it.each([
    [{}, 5],
    [{ 'retention.ms': '900' }, 5],
    [{ 'retention.ms': '899' }, 10],
    [{ 'retention.ms': '700' }, 10],
    [{ 'retention.ms': '699' }, 30],
    [{ 'retention.ms': '0', 'cleanup.policy': 'compact' }, 5],
    [{ 'retention.ms': '0', 'cleanup.policy': 'compact, delete' }, 30],
    [{ 'retention.bytes': '150' }, 5],
    [{ 'retention.bytes': '101' }, 5],
    [{ 'retention.bytes': '100' }, 10],
    [{ 'retention.bytes': '9223372036854775807' }, 5],
    [{ 'retention.bytes': '0', 'retention.ms': '-1' }, 30],
  ])('of %j is %i', (settings, expected) => expect(offset(settings)).toBe(expected))

  it('never moves back', () => expect(offset({ 'retention.ms': '899' }, 1000, 15)).toBe(15))
})
