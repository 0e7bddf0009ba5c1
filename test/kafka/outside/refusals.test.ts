import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StagedBatch } from '../../../src/ports/log.ts'
import { batchOf, readAll, record } from '../../contract/log/records.ts'
import { commitAfter, deliver } from '../../contract/outside/commits.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { outsideWorld } from './world.ts'

const kafka = kafkaBroker()
const TOMORROW = Date.now() + 86_400_000

describe.skipIf(kafka.missing)('output that a broker refuses', () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)
  const { name, log, outside, keys } = outsideWorld()
  const at = () => ({ topic: name('out'), partition: 0 })
  const make = (settings: Readonly<Record<string, string>>) =>
    log()
      .admin()
      .create({ name: name('out'), partitions: 1, settings })
  beforeEach(async () => {
    await log()
      .admin()
      .create({ name: name('other'), partitions: 1 })
  })

  /** What a slice with this batch, among others, is told; nothing of it may be seen, and the next slice goes through. */
  async function refusal(batch: StagedBatch): Promise<unknown> {
    const out = outside()
    const good = batchOf({ topic: name('other'), partition: 0 }, [record('good')])
    await out.begin()
    const failure = await out
      .send([good, batchOf(at(), [record('before')]), batch, batchOf(at(), [record('after')]), good])
      .then(() => out.acknowledged())
      .catch((error: unknown) => error)
    await out.abort()
    expect(await out.read()).toBeUndefined()
    await deliver(out, [good, batchOf(at(), [record('next')])], commitAfter(null, 'A'))
    expect(await keys('out')).toEqual(['next'])
    expect(await keys('other')).toEqual(['good'])
    return failure
  }

  it('names key, size and limit of a record that is too large, among small ones', async () => {
    await make({ 'max.message.bytes': '2000' })
    const large = record('big', 'x'.repeat(3000))
    const failure = await refusal(batchOf(at(), [record('a'), large, record('b')]))
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73, at: at() })
    expect(String(failure)).toMatch(/a record of 30\d\d bytes \(key "big"\) is over the limit of 2000/)
  })

  it('names a record that is ahead of the time that the broker allows', async () => {
    await make({ 'message.timestamp.after.max.ms': '3600000' })
    const early = record('soon', '1', TOMORROW)
    const failure = await refusal(batchOf(at(), [record('a', '1', 1000), early, record('b', '1', 1000)]))
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73, at: at() })
    expect(String(failure)).toContain(new Date(TOMORROW).toISOString())
    expect(String(failure)).toContain('key "soon"')
    expect(failure).toMatchObject({ hint: expect.stringContaining('message.timestamp.after.max.ms') })
  })

  it('says that a compacted topic wants a key', async () => {
    await make({ 'cleanup.policy': 'compact' })
    const failure = await refusal(batchOf(at(), [record('a'), record(null, '2')]))
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', at: at(), message: expect.stringContaining('without key') })
  })

  it('splits what is too large as a batch alone', async () => {
    await make({ 'max.message.bytes': '2000' })
    const many = Array.from({ length: 100 }, (_, index) => record(`k${index}`, 'x'.repeat(100), index))
    const out = outside()
    await deliver(out, [batchOf(at(), many), batchOf(at(), [record('last')])], commitAfter(null, 'A'))
    expect(await keys('out')).toEqual([...many.map(({ key }) => key), 'last'])
  })

  it('keeps times ahead of the clock, and from before 1970, in the topics that are made here', async () => {
    await log()
      .admin()
      .create({ name: name('out'), partitions: 1 })
    const times = [TOMORROW, 0, -1, TOMORROW * 1000]
    const records = times.map((time, index) => record(`k${index}`, '1', time))
    await deliver(outside(), [batchOf(at(), records)], commitAfter(null, 'A'))
    expect((await readAll(log(), at())).map(({ timestamp }) => timestamp)).toEqual(times)
  })

  it('does not take damaged bytes for good ones by giving them a checksum', async () => {
    await log()
      .admin()
      .create({ name: name('out'), partitions: 1 })
    const damaged = batchOf(at(), [record('a', 'value')])
    damaged.bytes[damaged.bytes.length - 2] = 0xff
    const out = outside()
    await out.begin()
    await expect(out.send([damaged])).rejects.toMatchObject({ code: 'RECORD_BATCH_CORRUPT', at: at() })
    await out.abort()
  })
})
