import { expect, it } from 'vitest'
import type { LogTest } from './log-contract.ts'
import { batchOf, readChunks, readRange, record, recordsOf, shown, singles, type TestRecord } from './records.ts'

export function readingContract({ log, name, open }: LogTest): void {
  const at = () => ({ topic: name('t'), partition: 0 })
  const create = (partitions = 1) =>
    log()
      .admin()
      .create({ name: name('t'), partitions })
  const numbered = (count: number): TestRecord[] => Array.from({ length: count }, (_, i) => record('a', `${i}`, i))
  const offsets = (records: readonly { offset: number }[]) => records.map(({ offset }) => offset)

  it('reads any part of one batch, and never a record outside the range twice (A10)', async () => {
    await create()
    await log()
      .admin()
      .append([batchOf(at(), numbered(10), 'gzip')])
    expect(offsets(await readRange(log(), { ...at(), from: 3, to: 7 }))).toEqual([3, 4, 5, 6])
    expect(offsets(await readRange(log(), { ...at(), from: 7, to: 10 }))).toEqual([7, 8, 9])
    expect(offsets(await readRange(log(), { ...at(), from: 0, to: 10 }))).toHaveLength(10)
  })

  it('never gives batches that lie outside the range altogether', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), numbered(6)))
    const chunks = await readChunks(log(), { ...at(), from: 2, to: 4 }, { isolation: 'read_committed' })
    expect(offsets(recordsOf(chunks, 0, 6))).toEqual([2, 3])
  })

  it('gives whole batches in offset order', async () => {
    await create()
    const batches = [numbered(3), numbered(1), numbered(5)].map((records) => batchOf(at(), records))
    await log().admin().append(batches)
    const chunks = await readChunks(log(), { ...at(), from: 1, to: 5 }, { isolation: 'read_committed' })
    expect(offsets(recordsOf(chunks, 0, 9))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('does not ask anything of the log for an empty range', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), numbered(2)))
    for (const offset of [0, 1, 2]) {
      expect(await readChunks(log(), { ...at(), from: offset, to: offset }, { isolation: 'read_committed' })).toEqual(
        [],
      )
    }
  })

  it('gives the same where fetching begins at once, and may be closed before anything is taken', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), numbered(6)))
    const range = { ...at(), from: 1, to: 5 }
    const unread = log().reader([range], { isolation: 'read_committed', atOnce: true })
    await unread.close()
    const chunks = await readChunks(log(), range, { isolation: 'read_committed', atOnce: true })
    expect(offsets(recordsOf(chunks, 1, 5))).toEqual([1, 2, 3, 4])
  })

  it('bounds a chunk by the buffer shared by all ranges, but always makes progress', async () => {
    await create(2)
    const value = 'x'.repeat(1000)
    const both = [at(), { ...at(), partition: 1 }]
    for (const partition of both) {
      await log()
        .admin()
        .append(
          singles(
            partition,
            numbered(20).map((each) => ({ ...each, value })),
          ),
        )
    }
    const ranges = both.map((partition) => ({ ...partition, from: 0, to: 20 }))
    const reader = log().reader(ranges, { isolation: 'read_committed', bufferBytes: 8000 })
    const first = await reader.next(0)
    const size = (first?.batches ?? []).reduce((sum, batch) => sum + batch.length, 0)
    expect(size).toBeGreaterThan(0)
    expect(size).toBeLessThanOrEqual(4000)
    await reader.close()
    const tight = await readRange(log(), { ...at(), from: 0, to: 20 }, { bufferBytes: 1 })
    expect(offsets(tight)).toHaveLength(20)
  })

  it('reads each range of a reader at its own pace', async () => {
    await create(2)
    const other = { ...at(), partition: 1 }
    await log()
      .admin()
      .append([...singles(at(), numbered(3)), ...singles(other, numbered(3))])
    const ranges = [
      { ...at(), from: 1, to: 3 },
      { ...other, from: 0, to: 2 },
      { ...at(), from: 0, to: 1 },
    ]
    const reader = log().reader(ranges, { isolation: 'read_committed', bufferBytes: 1 })
    const taken: string[] = []
    for (const index of [1, 0, 2, 0, 1]) {
      const chunk = await reader.next(index)
      const range = ranges[index]
      if (chunk === undefined || range === undefined) throw new Error('every range has records left')
      for (const { offset } of recordsOf([chunk], range.from, range.to)) taken.push(`${index}:${offset}`)
    }
    expect(taken).toEqual(['1:0', '0:1', '2:0', '0:2', '1:1'])
    for (const index of [0, 1, 2]) expect(await reader.next(index)).toBeUndefined()
    await reader.close()
  })

  it('gives the records as they were planned while others append (A13)', async () => {
    await create()
    await log()
      .admin()
      .append(singles(at(), numbered(5)))
    const writer = (await open()).admin()
    const reader = log().reader([{ ...at(), from: 0, to: 5 }], { isolation: 'read_committed', bufferBytes: 1 })
    const chunks = []
    for (let i = 0; ; i++) {
      await writer.append(singles(at(), [record('late', `${i}`)]))
      const chunk = await reader.next(0)
      if (chunk === undefined) break
      chunks.push(chunk)
    }
    await reader.close()
    expect(recordsOf(chunks, 0, 100).map(shown)).toEqual(numbered(5).map((_, i) => `${i} a=${i} @${i}`))
    const [bounds] = await log().bounds([at()], 'read_committed')
    expect(bounds?.end).toBe(5 + chunks.length + 1)
  })

  it('gives the same whatever the buffer, over many batches', async () => {
    await create()
    for (let i = 0; i < 20; i++)
      await log()
        .admin()
        .append([batchOf(at(), numbered(1 + ((i * 7) % 13)))])
    const [bounds] = await log().bounds([at()], 'read_committed')
    const range = { ...at(), from: 0, to: bounds?.end ?? 0 }
    const whole = await readRange(log(), range)
    expect(whole).toHaveLength(range.to)
    for (const bufferBytes of [1, 100, 777, 5000]) expect(await readRange(log(), range, { bufferBytes })).toEqual(whole)
    const middle = range.to >> 1
    expect([
      ...(await readRange(log(), { ...range, to: middle })),
      ...(await readRange(log(), { ...range, from: middle })),
    ]).toEqual(whole)
  })
}
