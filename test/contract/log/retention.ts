import { expect, it } from 'vitest'
import type { LogTest } from './log-contract.ts'
import { readAll, record, singles } from './records.ts'

export function retentionContract({ log, name }: LogTest): void {
  const at = () => ({ topic: name('t'), partition: 0 })
  const expired = async (nowMs: number) => (await log().admin().expired(name('t'), nowMs)).map(({ offset }) => offset)
  const fill = async (settings: Record<string, string>) => {
    await log()
      .admin()
      .create({ name: name('t'), partitions: 1, settings })
    await log()
      .admin()
      .append(
        singles(
          at(),
          [100, 300, 200, 400].map((time) => record('k', 'v', time)),
        ),
      )
  }
  const keys = async () => (await readAll(log(), at())).map(({ timestamp }) => timestamp)

  it('expires nothing unless the topic says so, however old the records are', async () => {
    await fill({})
    expect(await expired(Number.MAX_SAFE_INTEGER)).toEqual([0])
  })

  it('expires by time from the oldest on, up to the first that is young enough', async () => {
    await fill({ 'retention.ms': '50' })
    expect(await expired(150)).toEqual([0])
    expect(await expired(151)).toEqual([1])
    expect(await expired(340)).toEqual([1])
    expect(await expired(351)).toEqual([3])
    expect(await expired(451)).toEqual([4])
    expect(await keys()).toEqual([100, 300, 200, 400])
  })

  it('expires by size, and keeps at least as much as asked', async () => {
    await fill({})
    const size = 61 + 9 // a batch of one record with one byte of key and one of value
    const sized = async (bytes: number) => {
      await log()
        .admin()
        .alter(name('t'), { settings: { 'retention.bytes': String(bytes) } })
      return expired(0)
    }
    expect(await sized(4 * size)).toEqual([0])
    expect(await sized(3 * size)).toEqual([1])
    expect(await sized(3 * size - 1)).toEqual([1])
    expect(await sized(2 * size)).toEqual([2])
    expect(await sized(0)).toEqual([4])
  })

  it('removes what expired when trimmed there', async () => {
    await fill({ 'retention.ms': '50' })
    for (const { topic, partition, offset } of await log().admin().expired(name('t'), 360)) {
      await log().admin().trim({ topic, partition }, offset)
    }
    expect(await keys()).toEqual([400])
    expect(await expired(360)).toEqual([3])
  })

  it('expires nothing in a topic that is compacted alone', async () => {
    await fill({ 'retention.ms': '0', 'cleanup.policy': 'compact' })
    expect(await expired(10_000)).toEqual([0])
    await expect(log().admin().expired(name('missing'), 0)).rejects.toMatchObject({ code: 'INPUT_MISSING' })
  })
}
