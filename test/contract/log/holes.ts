import { expect, it } from 'vitest'
import type { LogTest } from './log-contract.ts'
import { batchOf, readAll, readRange, record, shown, singles } from './records.ts'

export function holesContract({ log, name, lut, lacks }: LogTest): void {
  const at = () => ({ topic: name('t'), partition: 0 })
  const create = () =>
    log()
      .admin()
      .create({ name: name('t'), partitions: 1 })
  const read = async (from: number, to: number, isolation: 'read_committed' | 'read_uncommitted' = 'read_committed') =>
    (await readRange(log(), { ...at(), from, to }, { isolation })).map(({ offset, key }) => `${offset}${key}`)

  it.skipIf(lacks('skip'))(
    'passes positions without records, at the start, the middle and the end (A1, A2, A9)',
    async () => {
      await create()
      await lut().skip(at(), 3)
      await log()
        .admin()
        .append([batchOf(at(), [record('a'), record('b')])])
      await lut().skip(at(), 2)
      await log()
        .admin()
        .append([batchOf(at(), [record('c')])])
      await lut().skip(at(), 4)
      const [bounds] = await log().bounds([at()], 'read_committed')
      expect(bounds).toMatchObject({ start: 0, end: 12, highWatermark: 12 })
      expect(await read(0, 12)).toEqual(['3a', '4b', '7c'])
      expect(await read(0, 3)).toEqual([])
      expect(await read(5, 7)).toEqual([])
      expect(await read(4, 8)).toEqual(['4b', '7c'])
      expect(await read(8, 12)).toEqual([])
      expect(await read(11, 12)).toEqual([])
    },
  )

  it.skipIf(lacks('skip'))('reads a partition that holds nothing but positions', async () => {
    await create()
    await lut().skip(at(), 5)
    expect(await read(0, 5)).toEqual([])
    expect(await read(2, 3)).toEqual([])
    await log()
      .admin()
      .append([batchOf(at(), [record('a')])])
    expect((await readAll(log(), at())).map(shown)).toEqual(['5 a=1 @1000'])
  })

  it.skipIf(lacks('transactions'))('ends at a marker, which is no record (A1)', async () => {
    await create()
    const first = await lut().transaction()
    await first.append([batchOf(at(), [record('a')])])
    await first.commit()
    const second = await lut().transaction()
    await second.append([batchOf(at(), [record('b')])])
    await second.abort()
    const [bounds] = await log().bounds([at()], 'read_committed')
    expect(bounds?.end).toBe(4)
    expect(await read(0, 2)).toEqual(['0a'])
    expect(await read(1, 2)).toEqual([])
    expect(await read(0, 4)).toEqual(['0a'])
    expect(await read(2, 4)).toEqual([])
  })

  it.skipIf(lacks('transactions'))('holds back what open transactions have begun (A3)', async () => {
    await create()
    await log()
      .admin()
      .append(
        singles(
          at(),
          ['a', 'b', 'c', 'd', 'e'].map((key) => record(key)),
        ),
      )
    const transaction = await lut().transaction()
    await transaction.append([batchOf(at(), [record('f')])])
    await log()
      .admin()
      .append([batchOf(at(), [record('g')])])
    const bounds = async (isolation: 'read_committed' | 'read_uncommitted') =>
      (await log().bounds([at()], isolation))[0]
    expect(await bounds('read_committed')).toMatchObject({ end: 5, highWatermark: 7 })
    expect(await bounds('read_uncommitted')).toMatchObject({ end: 7, highWatermark: 7 })
    expect(await read(0, 5)).toEqual(['0a', '1b', '2c', '3d', '4e'])
    expect(await read(3, 7, 'read_uncommitted')).toEqual(['3d', '4e', '5f', '6g'])
    await expect(read(0, 7)).rejects.toMatchObject({ code: 'INPUT_LOST' })
    await transaction.commit()
    expect(await bounds('read_committed')).toMatchObject({ end: 8 })
    expect(await read(5, 8)).toEqual(['5f', '6g'])
  })

  it.skipIf(lacks('transactions'))(
    'gives no record of aborted transactions, whatever the overlap and the start (A4)',
    async () => {
      await create()
      const [t1, t2] = [await lut().transaction(), await lut().transaction()]
      await t1.append([batchOf(at(), [record('a')])])
      await t2.append([batchOf(at(), [record('b')])])
      await t2.abort()
      await t1.append([batchOf(at(), [record('c')])])
      await t1.abort()
      await log()
        .admin()
        .append([batchOf(at(), [record('d')])])
      expect(await read(0, 6)).toEqual(['5d'])
      for (const from of [1, 2, 3, 4]) expect(await read(from, 5)).toEqual([])
      expect(await read(0, 6, 'read_uncommitted')).toEqual(['0a', '1b', '3c', '5d'])
    },
  )

  it.skipIf(lacks('transactions'))('keeps a transaction in the partitions that it has written to', async () => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 3 })
    const transaction = await lut().transaction()
    const [first, , third] = [0, 1, 2].map((partition) => ({ ...at(), partition }))
    if (first === undefined || third === undefined) throw new Error('there are three')
    await transaction.append([batchOf(third, [record('a')]), batchOf(first, [record('b')])])
    await transaction.append([batchOf(third, [record('c')])])
    await transaction.abort()
    const bounds = await log().bounds([first, { ...at(), partition: 1 }, third], 'read_committed')
    expect(bounds.map(({ end, highWatermark }) => [end, highWatermark])).toEqual([
      [2, 2],
      [0, 0],
      [3, 3],
    ])
  })
}
