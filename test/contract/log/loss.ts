import { expect, it } from 'vitest'
import type { LogTest } from './log-contract.ts'
import { batchOf, readAll, readRange, record, recordsOf, singles } from './records.ts'

export function lossContract({ log, name, open, lut, lacks }: LogTest): void {
  const at = () => ({ topic: name('t'), partition: 0 })
  const fill = async (count: number) => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1 })
    await log()
      .admin()
      .append(
        singles(
          at(),
          Array.from({ length: count }, (_, i) => record(`k${i}`, '1', i)),
        ),
      )
  }
  const next = (from: number, to: number) => {
    const reader = log().reader([{ ...at(), from, to }], { isolation: 'read_committed', bufferBytes: 1 })
    return reader.next(0).finally(() => reader.close())
  }
  const startAndEnd = async () => {
    const [bounds] = await log().bounds([at()], 'read_committed')
    return [bounds?.start, bounds?.end]
  }

  it('moves the log start when trimmed, never back, and keeps the offsets of the rest', async () => {
    await fill(10)
    await (await open()).admin().trim(at(), 4)
    expect(await startAndEnd()).toEqual([4, 10])
    await log().admin().trim(at(), 2)
    expect(await startAndEnd()).toEqual([4, 10])
    expect((await readAll(log(), at())).map(({ key }) => key)).toEqual(['k4', 'k5', 'k6', 'k7', 'k8', 'k9'])
    await log().admin().trim(at(), 10)
    expect(await startAndEnd()).toEqual([10, 10])
    await log()
      .admin()
      .append([batchOf(at(), [record('new')])])
    expect((await readAll(log(), at())).map(({ offset, key }) => [offset, key])).toEqual([[10, 'new']])
  })

  it('refuses a trim past the end', async () => {
    await fill(3)
    await expect(log().admin().trim(at(), 4)).rejects.toMatchObject({ code: 'USAGE', at: at() })
    expect(await startAndEnd()).toEqual([0, 3])
  })

  it('trims inside a batch: readers filter by offset', async () => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1 })
    await log()
      .admin()
      .append([
        batchOf(
          at(),
          ['a', 'b', 'c', 'd'].map((key) => record(key)),
        ),
      ])
    await log().admin().trim(at(), 2)
    expect((await readAll(log(), at())).map(({ offset, key }) => [offset, key])).toEqual([
      [2, 'c'],
      [3, 'd'],
    ])
    await expect(next(1, 4)).rejects.toMatchObject({ code: 'INPUT_LOST' })
  })

  it('names topic, partition, wanted, available and count when the start is lost (A5)', async () => {
    await fill(20)
    await log().admin().trim(at(), 15)
    const failure = await next(10, 20).catch((error) => error)
    expect(failure).toMatchObject({ code: 'INPUT_LOST', at: { ...at(), offset: 10 }, hint: expect.any(String) })
    expect(failure.message).toMatch(/\b10\b.*\b15\b.*\b5\b/)
    expect(await readRange(log(), { ...at(), from: 15, to: 20 })).toHaveLength(5)
  })

  it('says so too when the loss happens while the range is read (A5)', async () => {
    await fill(20)
    const reader = log().reader([{ ...at(), from: 0, to: 20 }], { isolation: 'read_committed', bufferBytes: 1 })
    const first = await reader.next(0)
    const position = first?.nextOffset ?? 0
    expect(position).toBeLessThan(18)
    await (await open()).admin().trim(at(), 18)
    const failure = await reader.next(0).catch((error) => error)
    expect(failure).toMatchObject({ code: 'INPUT_LOST', at: { ...at(), offset: position } })
    expect(failure.message).toContain(String(18 - position))
    await reader.close()
  })

  it('reads on over a trim that stays behind it', async () => {
    await fill(20)
    const reader = log().reader([{ ...at(), from: 0, to: 20 }], { isolation: 'read_committed', bufferBytes: 1 })
    const chunks = []
    for (let chunk = await reader.next(0); chunk !== undefined; chunk = await reader.next(0)) {
      chunks.push(chunk)
      await log().admin().trim(at(), chunk.nextOffset)
    }
    await reader.close()
    expect(recordsOf(chunks, 0, 20)).toHaveLength(20)
  })

  it('fails by name, at once, where a range reaches past the end (A11)', async () => {
    await fill(3)
    const reader = log().reader([{ ...at(), from: 2, to: 5 }], { isolation: 'read_committed' })
    const drained = (async () => {
      while ((await reader.next(0)) !== undefined);
    })()
    await expect(drained).rejects.toMatchObject({ code: 'INPUT_LOST', at: at() })
    await reader.close()
    await expect(next(7, 9)).rejects.toMatchObject({ code: 'INPUT_LOST' })
  })

  it('names a topic that vanishes while it is read (A15)', async () => {
    await fill(5)
    const reader = log().reader([{ ...at(), from: 0, to: 5 }], { isolation: 'read_committed', bufferBytes: 1 })
    await reader.next(0)
    await (await open()).admin().delete(name('t'))
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'INPUT_MISSING', at: { topic: name('t') } })
    await reader.close()
  })

  it('does not read on in a topic that is made again meanwhile (A6)', async () => {
    await fill(5)
    const reader = log().reader([{ ...at(), from: 0, to: 5 }], { isolation: 'read_committed', bufferBytes: 1 })
    await reader.next(0)
    await log().admin().delete(name('t'))
    await fill(9)
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'INPUT_REPLACED', at: { topic: name('t') } })
    await reader.close()
  })

  it.skipIf(lacks('truncate'))('says so when the log falls back behind the range (unclean election)', async () => {
    await fill(8)
    const reader = log().reader([{ ...at(), from: 0, to: 8 }], { isolation: 'read_committed', bufferBytes: 1 })
    await reader.next(0)
    await lut().truncate(at(), 4)
    await expect(reader.next(0)).rejects.toMatchObject({ code: 'INPUT_LOST', at: at() })
    await reader.close()
    expect(await startAndEnd()).toEqual([0, 4])
  })
}
