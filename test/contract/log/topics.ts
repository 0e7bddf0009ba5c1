import { expect, it } from 'vitest'
import type { LogTest } from './log-contract.ts'
import { batchOf, readAll, record } from './records.ts'

export function topicsContract({ log, name, open, lacks }: LogTest): void {
  it('has no topics at first, and an id that all handles share', async () => {
    const other = await open()
    expect(await log().describe([name('flights')])).toEqual([])
    expect(await log().clusterId()).toMatch(/.+/)
    expect(await other.clusterId()).toBe(await log().clusterId())
  })

  it('describes what was created, to every handle', async () => {
    const created = await log()
      .admin()
      .create({ name: name('flights'), partitions: 3 })
    expect(created).toMatchObject({ name: name('flights'), partitions: 3 })
    expect(created.id).toMatch(/.+/)
    const other = await open()
    expect(await other.describe([name('flights')])).toEqual([created])
    const [bounds] = await other.bounds([{ topic: name('flights'), partition: 2 }], 'read_committed')
    expect(bounds).toEqual({ topic: name('flights'), partition: 2, start: 0, end: 0, highWatermark: 0 })
  })

  it('lists all topics by name, and of those asked for the ones that exist', async () => {
    for (const topic of ['b', 'a', 'c'])
      await log()
        .admin()
        .create({ name: name(topic), partitions: 1 })
    const all = (await log().describe()).map((topic) => topic.name)
    const ours = all.filter((topic) => ['a', 'b', 'c'].map(name).includes(topic))
    expect(ours).toEqual(['a', 'b', 'c'].map(name))
    const asked = await log().describe([name('c'), name('missing'), name('a')])
    expect(asked.map((topic) => topic.name).sort()).toEqual([name('a'), name('c')])
  })

  it('refuses a topic that exists, a bad name and a bad number of partitions', async () => {
    const admin = log().admin()
    await admin.create({ name: name('flights'), partitions: 1 })
    await expect(admin.create({ name: name('flights'), partitions: 1 })).rejects.toMatchObject({ code: 'USAGE' })
    for (const bad of ['', '.', '..', 'a/b', 'a b', 'ä', 'x'.repeat(250)]) {
      await expect(admin.create({ name: bad, partitions: 1 }), bad).rejects.toMatchObject({ code: 'USAGE' })
    }
    for (const bad of [0, -1, 1.5, Number.NaN]) {
      await expect(admin.create({ name: name('x'), partitions: bad })).rejects.toMatchObject({ code: 'USAGE' })
    }
    expect(await log().describe([name('x')])).toEqual([])
  })

  it('keeps settings by Kafka names, and others beside those altered', async () => {
    const settings = { 'cleanup.policy': 'compact', 'retention.ms': '1000' }
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1, settings })
    await log()
      .admin()
      .alter(name('t'), { settings: { 'retention.ms': '2000' } })
    const [topic] = await log().describe([name('t')])
    expect(topic?.settings).toMatchObject({ 'cleanup.policy': 'compact', 'retention.ms': '2000' })
  })

  it.skipIf(lacks('settings'))('refuses settings that are unknown or mean something it cannot keep', async () => {
    const admin = log().admin()
    const bad: Record<string, string>[] = [
      { 'retention.hours': '1' },
      { 'retention.ms': 'soon' },
      { 'retention.ms': '-2' },
      { 'max.message.bytes': '1e6' },
      { 'cleanup.policy': 'keep' },
      { 'message.timestamp.type': 'LogAppendTime' },
      { 'min.compaction.lag.ms': '1000' },
    ]
    for (const settings of bad) {
      const refused = admin.create({ name: name('t'), partitions: 1, settings })
      await expect(refused, JSON.stringify(settings)).rejects.toMatchObject({ code: 'USAGE', hint: expect.any(String) })
    }
    expect(await log().describe([name('t')])).toEqual([])
    const settings = { 'segment.ms': '600000', 'cleanup.policy': 'compact,delete', 'retention.bytes': '-1' }
    await admin.create({ name: name('t'), partitions: 1, settings })
    await expect(admin.alter(name('t'), { settings: { 'retention.ms': 'soon' } })).rejects.toMatchObject({
      code: 'USAGE',
    })
    expect((await log().describe([name('t')]))[0]?.settings).toMatchObject({ ...settings, 'retention.ms': '-1' })
  })

  it('adds partitions, which start at 0, and never takes any', async () => {
    const at = { topic: name('t'), partition: 0 }
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1 })
    await log()
      .admin()
      .append([batchOf(at, [record('a')])])
    await log().admin().alter(name('t'), { partitions: 3 })
    const bounds = await log().bounds(
      [0, 2].map((partition) => ({ topic: name('t'), partition })),
      'read_committed',
    )
    expect(bounds.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [0, 0],
    ])
    await expect(log().admin().alter(name('t'), { partitions: 2 })).rejects.toMatchObject({ code: 'USAGE' })
    expect((await log().describe([name('t')]))[0]?.partitions).toBe(3)
    await expect(log().admin().alter(name('missing'), { partitions: 2 })).rejects.toMatchObject({
      code: 'INPUT_MISSING',
    })
  })

  it('gives a topic that is made again another id and nothing of the old records (A6)', async () => {
    const at = { topic: name('t'), partition: 0 }
    const admin = log().admin()
    const first = await admin.create({ name: name('t'), partitions: 2 })
    await admin.append([batchOf(at, [record('old'), record('old')])])
    await admin.delete(name('t'))
    expect(await log().describe([name('t')])).toEqual([])
    await expect(log().bounds([at], 'read_committed')).rejects.toMatchObject({ code: 'INPUT_MISSING' })
    await expect(admin.delete(name('t'))).rejects.toMatchObject({ code: 'INPUT_MISSING' })
    const second = await admin.create({ name: name('t'), partitions: 1 })
    expect(second.id).not.toBe(first.id)
    expect(await readAll(log(), at)).toEqual([])
    await admin.append([batchOf(at, [record('new')])])
    expect((await readAll(log(), at)).map(({ offset, key }) => [offset, key])).toEqual([[0, 'new']])
  })

  it('names a topic or partition that does not exist, and creates nothing by being asked (A15)', async () => {
    const missing = { topic: name('ordres'), partition: 0 }
    await log()
      .admin()
      .create({ name: name('orders'), partitions: 1 })
    const outside = { topic: name('orders'), partition: 1 }
    for (const at of [missing, outside]) {
      const failure = { code: 'INPUT_MISSING', at: { topic: at.topic } }
      await expect(log().bounds([at], 'read_committed')).rejects.toMatchObject(failure)
      await expect(log().offsetsForTime([{ ...at, timestamp: 0 }])).rejects.toMatchObject(failure)
      const reader = log().reader([{ ...at, from: 0, to: 1 }], { isolation: 'read_committed' })
      await expect(reader.next(0)).rejects.toMatchObject(failure)
      await reader.close()
      await expect(log().admin().trim(at, 0)).rejects.toMatchObject(failure)
    }
    expect(await log().describe([name('ordres')])).toEqual([])
    expect((await log().describe([name('orders')]))[0]?.partitions).toBe(1)
  })

  it('may be closed twice', async () => {
    const other = await open()
    const reader = other.reader([], { isolation: 'read_committed' })
    await reader.close()
    await reader.close()
    await other.close()
    await other.close()
  })
}
