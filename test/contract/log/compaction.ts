import fc from 'fast-check'
import { expect, it } from 'vitest'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import type { LogTest } from './log-contract.ts'
import { batchOf, type ReadRecord, readAll, readRange, record, shown, singles } from './records.ts'

const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const

export function compactionContract({ log, name, open }: LogTest): void {
  const at = (topic = 't') => ({ topic: name(topic), partition: 0 })
  const compacted = (topic = 't') =>
    log()
      .admin()
      .create({ name: name(topic), partitions: 1, settings: { 'cleanup.policy': 'compact' } })
  const all = async (topic = 't') => (await readAll(log(), at(topic))).map(shown)

  it('keeps the last record of each key, with offset, time and headers, and tombstones (A2)', async () => {
    await compacted()
    const headers = [
      ['h', Buffer.from('1')],
      ['h', null],
    ] as const
    await log()
      .admin()
      .append([
        batchOf(at(), [record('a', '1', 10), record('b', '1', 20, headers)]),
        batchOf(at(), [record('a', '2', 30), record('a', null, 15)]),
      ])
    await (await open()).admin().compact(name('t'))
    const records = await readAll(log(), at())
    expect(records.map(shown)).toEqual(['1 b=1 @20', '3 a=∅ @15'])
    expect(records[0]?.headers).toEqual(headers)
    const [bounds] = await log().bounds([at()], 'read_committed')
    expect(bounds).toMatchObject({ start: 0, end: 4, highWatermark: 4 })
  })

  it('leaves holes at the start and at the end that a range passes, without loss (A2, A9)', async () => {
    await compacted()
    await log()
      .admin()
      .append(
        singles(
          at(),
          ['x', 'x', 'x', 'y', 'x', 'x'].map((key, i) => record(key, `${i}`)),
        ),
      )
    await log()
      .admin()
      .append(singles(at(), [record('z'), record('x', 'last'), record('z', 'end')]))
    await log().admin().compact(name('t'))
    expect(await all()).toEqual(['3 y=3 @1000', '7 x=last @1000', '8 z=end @1000'])
    const part = async (from: number, to: number) => (await readRange(log(), { ...at(), from, to })).map(shown)
    expect(await part(0, 3)).toEqual([])
    expect(await part(4, 7)).toEqual([])
    expect(await part(2, 7)).toEqual(['3 y=3 @1000'])
    await log()
      .admin()
      .append([batchOf(at(), [record('z', 'more')])])
    expect((await all()).at(-1)).toBe('9 z=more @1000')
  })

  it('takes records again, and compacts again', async () => {
    await compacted()
    await log()
      .admin()
      .append([batchOf(at(), [record('a'), record('b'), record('c')])])
    await log().admin().compact(name('t'))
    expect(await all()).toHaveLength(3)
    await log()
      .admin()
      .append([batchOf(at(), [record('b', null), record('d')])])
    await log().admin().compact(name('t'))
    await log().admin().compact(name('t'))
    expect(await all()).toEqual(['0 a=1 @1000', '2 c=1 @1000', '3 b=∅ @1000', '4 d=1 @1000'])
  })

  it('drops records without key, which a topic may have from before', async () => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1 })
    await log()
      .admin()
      .append([batchOf(at(), [record(null), record('a'), record(null)])])
    await expect(log().admin().compact(name('t'))).rejects.toMatchObject({ code: 'USAGE', at: { topic: name('t') } })
    expect(await all()).toHaveLength(3)
    await log()
      .admin()
      .alter(name('t'), { settings: { 'cleanup.policy': 'compact,delete' } })
    await log().admin().compact(name('t'))
    expect(await all()).toEqual(['1 a=1 @1000'])
  })

  it('compacts each partition for itself, and no topic that does not exist', async () => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 2, settings: { 'cleanup.policy': 'compact' } })
    const other = { ...at(), partition: 1 }
    await log()
      .admin()
      .append([batchOf(at(), [record('a')]), batchOf(other, [record('a'), record('a')])])
    await log().admin().compact(name('t'))
    expect(await all()).toEqual(['0 a=1 @1000'])
    expect((await readAll(log(), other)).map(shown)).toEqual(['1 a=1 @1000'])
    await expect(log().admin().compact(name('missing'))).rejects.toMatchObject({ code: 'INPUT_MISSING' })
  })

  it('searches by the times of the records that are left', async () => {
    await compacted()
    await log()
      .admin()
      .append([batchOf(at(), [record('a', '1', 100), record('b', '1', 10)]), batchOf(at(), [record('a', '2', 20)])])
    await log().admin().compact(name('t'))
    const asked = [10, 15, 50].map((timestamp) => ({ ...at(), timestamp }))
    const [first = -1, second, none] = await log().offsetsForTime(asked)
    expect(first).toBeLessThanOrEqual(1)
    expect([second, none]).toEqual([2, 3])
  })

  it('does not disturb a reader in the middle, and trims after it', async () => {
    await compacted()
    await log()
      .admin()
      .append(
        singles(
          at(),
          Array.from({ length: 10 }, (_, i) => record(i < 8 ? 'a' : 'b', `${i}`)),
        ),
      )
    const reader = log().reader([{ ...at(), from: 0, to: 10 }], { isolation: 'read_committed', bufferBytes: 1 })
    const positions = [(await reader.next(0))?.nextOffset]
    await log().admin().compact(name('t'))
    for (let chunk = await reader.next(0); chunk !== undefined; chunk = await reader.next(0)) {
      positions.push(chunk.nextOffset)
    }
    await reader.close()
    expect(positions.at(-1)).toBe(10)
    await log().admin().trim(at(), 8)
    expect(await all()).toEqual(['9 b=9 @1000'])
  })

  it('gives the last value of each key as before, at its own offset, for any batches and codecs', async () => {
    const value = fc.option(fc.string({ maxLength: 3, unit: 'binary-ascii' }), { nil: null })
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c', '\xff', ''), value, fc.nat(99))
    const batches = fc.array(fc.tuple(fc.constantFrom(...CODECS), fc.array(one, { minLength: 1, maxLength: 6 })), {
      maxLength: 6,
    })
    let round = 0
    const property = fc.asyncProperty(batches, async (written) => {
      const topic = `t${++round}`
      await compacted(topic)
      for (const [codec, records] of written) {
        const batch = batchOf(
          at(topic),
          records.map(([key, text, time]) => record(key, text, time)),
          codec,
        )
        await log().admin().append([batch])
      }
      const before = await readAll(log(), at(topic))
      await log().admin().compact(name(topic))
      expect(await readAll(log(), at(topic))).toEqual(lastOfEachKey(before))
    })
    await fc.assert(property, propertyRuns(30))
  })
}

function lastOfEachKey(records: readonly ReadRecord[]): ReadRecord[] {
  return records.filter(({ key, offset }) => !records.some((other) => other.key === key && other.offset > offset))
}
