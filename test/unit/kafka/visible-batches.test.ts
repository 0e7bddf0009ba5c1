import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AbortedTransaction } from '../../../src/adapters/kafka/protocol/fetch.ts'
import { visibleBatches } from '../../../src/adapters/kafka/reader/visible-batches.ts'
import type { Isolation } from '../../../src/ports/log.ts'
import { AT } from '../../../src/wire/batch-layout.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { empty, marker, plain, transactional } from './batches.ts'

const WHERE = { topic: 't', partition: 0 }

interface Read {
  readonly log: readonly Buffer[]
  readonly from?: number
  readonly to?: number
  readonly aborted?: readonly AbortedTransaction[]
  readonly isolation?: Isolation
}

/** `0a`, `1b`, ...: what is seen of the range; and the position after it. */
function read({ log, from = 0, to = 100, aborted = [], isolation = 'read_committed' }: Read) {
  const visible = visibleBatches(Buffer.concat(log), aborted, from, to, isolation, WHERE)
  const seen: string[] = []
  const cursor = new RecordCursor()
  for (const batch of visible.batches) {
    cursor.open(batch)
    while (cursor.next()) {
      if (cursor.offset >= from && cursor.offset < to) seen.push(`${cursor.offset}${cursor.key()}`)
    }
  }
  return { seen, nextOffset: visible.nextOffset, lastEpoch: visible.lastEpoch }
}

describe('what is visible of fetched batches', () => {
  it('A4: nothing of aborted transactions that overlap, in whatever order they are listed', () => {
    const log = [
      transactional(0, 1, 'a'),
      transactional(1, 2, 'b'),
      marker(2, 2, 'abort'),
      transactional(3, 1, 'c'),
      marker(4, 1, 'abort'),
    ]
    const [t1, t2] = [
      { producerId: 1, firstOffset: 0 },
      { producerId: 2, firstOffset: 1 },
    ]
    for (const aborted of [
      [t2, t1],
      [t1, t2],
    ]) {
      expect(read({ log, to: 5, aborted })).toMatchObject({ seen: [], nextOffset: 5 })
      expect(read({ log: log.slice(3), from: 3, to: 5, aborted: [t1] })).toMatchObject({ seen: [], nextOffset: 5 })
    }
    expect(read({ log, to: 5, aborted: [t2, t1], isolation: 'read_uncommitted' }).seen).toEqual(['0a', '1b', '3c'])
  })

  it('A4: nothing of a transaction inside which the range starts', () => {
    const log = [
      transactional(0, 1, 'a'),
      transactional(1, 2, 'b'),
      transactional(2, 2, 'c'),
      marker(3, 1, 'abort'),
      marker(4, 2, 'abort'),
    ]
    const aborted = [
      { producerId: 1, firstOffset: 0 },
      { producerId: 2, firstOffset: 1 },
    ]
    expect(read({ log: log.slice(1), from: 1, to: 5, aborted })).toMatchObject({ seen: [], nextOffset: 5 })
    expect(read({ log: log.slice(2), from: 2, to: 5, aborted })).toMatchObject({ seen: [], nextOffset: 5 })
  })

  it('a producer that aborts and then commits is seen again, and one that does not write in transactions always', () => {
    const log = [
      transactional(0, 1, 'a'),
      marker(1, 1, 'abort'),
      transactional(2, 1, 'b'),
      marker(3, 1, 'commit'),
      transactional(4, 1, 'c'),
      marker(5, 1, 'abort'),
      plain(6, 'd'),
    ]
    const aborted = [
      { producerId: 1, firstOffset: 4 },
      { producerId: 1, firstOffset: 0 },
    ]
    expect(read({ log, aborted }).seen).toEqual(['2b', '6d'])
  })

  it('a record whose key looks like an abort marker is a record', () => {
    const log = [transactional(0, 1, 'a'), transactional(1, 1, '\0\0\0\0'), transactional(5, 1, 'c')]
    expect(read({ log, aborted: [{ producerId: 1, firstOffset: 0 }] }).seen).toEqual([])
  })

  it('A1, A2: passes markers and empty batches by their own ends', () => {
    expect(read({ log: [marker(0, 1, 'commit')] })).toMatchObject({ seen: [], nextOffset: 1 })
    expect(read({ log: [empty(0, 2), plain(2, 'a'), empty(3, 5)] })).toMatchObject({ seen: ['2a'], nextOffset: 8 })
  })

  it('A10: ends at the range, whatever lies beyond', () => {
    const log = [plain(0, 'abc'), plain(3, 'def'), plain(6, 'g')]
    expect(read({ log, from: 1, to: 5 })).toMatchObject({ seen: ['1b', '2c', '3d', '4e'], nextOffset: 5 })
    expect(read({ log, from: 4, to: 6 })).toMatchObject({ seen: ['4e', '5f'], nextOffset: 6 })
    expect(visibleBatches(Buffer.concat(log), [], 3, 6, 'read_committed', WHERE).batches).toHaveLength(1)
  })

  it('a hole before the next batch is passed only as far as is known', () => {
    expect(read({ log: [plain(0, 'a'), plain(7, 'b')], to: 5 })).toMatchObject({ seen: ['0a'], nextOffset: 5 })
    expect(read({ log: [plain(0, 'a')], to: 5 })).toMatchObject({ seen: ['0a'], nextOffset: 1 })
    expect(read({ log: [], from: 3, to: 5 })).toMatchObject({ seen: [], nextOffset: 3, lastEpoch: -1 })
  })

  it('a batch that is cut at the end waits for the next answer', () => {
    const log = [plain(0, 'ab', 3), plain(2, 'cd', 4).subarray(0, 70)]
    expect(read({ log })).toMatchObject({ seen: ['0a', '1b'], nextOffset: 2, lastEpoch: 3 })
    expect(read({ log: [plain(0, 'ab').subarray(0, 5)] })).toMatchObject({ seen: [], nextOffset: 0 })
  })

  it('tells the leader epoch of the last batch passed, visible or not', () => {
    expect(read({ log: [plain(0, 'a', 3), plain(1, 'b', 7)] }).lastEpoch).toBe(7)
    expect(read({ log: [plain(0, 'a', 3), plain(1, 'b', 7)], to: 1 }).lastEpoch).toBe(3)
  })

  it.each([
    ['a marker', marker(3, 1, 'abort')],
    ['an aborted batch', transactional(3, 1, 'a')],
    ['an empty batch', empty(3, 2)],
  ])('names %s that is damaged, although nobody opens it', (_, batch) => {
    batch[AT.baseTimestamp] = (batch[AT.baseTimestamp] ?? 0) ^ 1
    expect(() => read({ log: [batch], from: 3, aborted: [{ producerId: 1, firstOffset: 3 }] })).toThrowError(
      expect.objectContaining({ code: 'RECORD_BATCH_CORRUPT', at: { ...WHERE, offset: 3 } }),
    )
  })

  it('names a batch that begins before the one before it ends', () => {
    expect(() => read({ log: [plain(0, 'abc'), plain(2, 'd')] })).toThrowError(
      expect.objectContaining({ code: 'RECORD_BATCH_CORRUPT', at: { ...WHERE, offset: 2 } }),
    )
  })

  it('names a batch in a format from before Kafka 0.11', () => {
    const old = plain(4, 'a')
    old[AT.magic] = 1
    expect(() => read({ log: [old], from: 4 })).toThrowError(
      expect.objectContaining({ code: 'RECORD_BATCH_UNSUPPORTED', at: { ...WHERE, offset: 4 } }),
    )
  })

  it('agrees with what the transactions say, for any overlap, start and order of the list', () => {
    const step = fc.record({ producer: fc.nat(3), does: fc.constantFrom('write', 'write', 'commit', 'abort', 'plain') })
    const property = fc.property(fc.array(step, { maxLength: 40 }), fc.nat(60), fc.nat(60), (steps, a, b) => {
      const made = logOf(steps)
      const [from, to] = [Math.min(a, b, made.end), Math.min(Math.max(a, b), made.end)]
      const first = made.log.findIndex(({ next }) => next > from)
      const log = first < 0 ? [] : made.log.slice(first).map(({ bytes }) => bytes)
      const aborted = made.aborted.filter(({ end }) => end >= from)
      const expected = made.committed.filter(({ offset }) => offset >= from && offset < to)
      expect(read({ log, from, to, aborted }).seen).toEqual(expected.map(({ offset }) => `${offset}k`))
    })
    fc.assert(property, propertyRuns(300))
  })
})

interface Step {
  readonly producer: number
  readonly does: 'write' | 'commit' | 'abort' | 'plain'
}

/** Plays transactions of several producers; those left open at the end are aborted. */
function logOf(steps: readonly Step[]) {
  const log: { bytes: Buffer; next: number }[] = []
  const open = new Map<number, number[]>()
  const committed: { offset: number }[] = []
  const aborted: (AbortedTransaction & { end: number })[] = []
  let offset = 0
  const add = (bytes: Buffer) => log.push({ bytes, next: ++offset })
  const end = (producer: number, how: 'commit' | 'abort') => {
    const offsets = open.get(producer)
    if (offsets === undefined) return
    open.delete(producer)
    if (how === 'commit') committed.push(...offsets.map((each) => ({ offset: each })))
    // The broker lists them in the order of their ends.
    else aborted.push({ producerId: producer, firstOffset: offsets[0] ?? 0, end: offset })
    add(marker(offset, producer, how))
  }
  for (const { producer, does } of steps) {
    if (does === 'commit' || does === 'abort') end(producer, does)
    else if (does === 'plain') {
      committed.push({ offset })
      add(plain(offset, 'k'))
    } else {
      open.set(producer, [...(open.get(producer) ?? []), offset])
      add(transactional(offset, producer, 'k'))
    }
  }
  for (const producer of [...open.keys()]) end(producer, 'abort')
  return { log, aborted, end: offset, committed: committed.sort((left, right) => left.offset - right.offset) }
}
