import { beforeAll, describe, expect, it } from 'vitest'
import { CommitTopic } from '../../../src/adapters/kafka/outside/commit-topic.ts'
import { batchOf, readAll, record } from '../../contract/log/records.ts'
import { commitAfter, deliver, delivery, plain } from '../../contract/outside/commits.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { outsideWorld } from './world.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('the commit topic', () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)
  const { name, log, outside } = outsideWorld()
  const topic = () => `tidemark.${name('job')}.commits`

  it('is made with the first claim or commit, not by reading, compacted and with room', async () => {
    const out = outside()
    expect(await out.read()).toBeUndefined()
    expect(await out.cuts()).toEqual([])
    expect(await log().describe([topic()])).toEqual([])
    await out.claim(delivery('A'), 0, false)
    const [made] = await log().describe([topic()])
    expect(made).toMatchObject({ partitions: 1, settings: { 'cleanup.policy': 'compact' } })
    expect(Number(made?.settings['max.message.bytes'])).toBeGreaterThan(10_000_000)
    expect(made?.settings['message.timestamp.after.max.ms']).toBe('9223372036854775807')
  })

  it('has one record a commit in partition 0, keyed by generation, also once it has grown', async () => {
    await outside().claim(delivery('A'), 0, false)
    await log().admin().alter(topic(), { partitions: 3 })
    const first = commitAfter(null, 'A')
    await deliver(outside({ key: 'g2' }), [], first)
    const records = await readAll(log(), { topic: topic(), partition: 0 })
    expect(records.map(({ key }) => key)).toEqual(['live', 'g2'])
    expect(records[1]?.value).toBe(
      `${JSON.stringify({ version: 1, token: first.token, delivery: first.delivery })}\n${first.checkpoint}`,
    )
    expect(plain(await outside({ key: 'g2' }).read())).toEqual(plain(first))
  })

  it('is read from its end back, however much of other keys lies behind the record', async () => {
    const first = commitAfter(null, 'A')
    await deliver(outside(), [], first)
    const others = new CommitTopic(log(), name('job'), 'g9')
    const other = commitAfter(null, 'B')
    for (let many = 0; many < 3; many++) {
      await log()
        .admin()
        .append(Array.from({ length: 400 }, () => others.batch(other, 0)))
    }
    expect(plain(await outside().read())).toEqual(plain(first))
    expect(plain(await outside({ key: 'g9' }).read())).toEqual(plain(other))
    expect(await outside({ key: 'g10' }).read()).toBeUndefined()
  })

  it('keeps a checkpoint of megabytes, byte for byte', async () => {
    const offsets = Array.from({ length: 200_000 }, (_, index) => `"topic/${index}":${index * 7919}`)
    const checkpoint = Buffer.from(`{${offsets.join()}}`)
    expect(checkpoint.length).toBeGreaterThan(4_000_000)
    const first = { ...commitAfter(null, 'A'), checkpoint }
    await deliver(outside(), [], first)
    expect(Buffer.from((await outside().read())?.checkpoint ?? []).equals(checkpoint)).toBe(true)
  })

  it('stops the run where its record is of a version that is not known', async () => {
    await outside().claim(delivery('A'), 0, false)
    await log()
      .admin()
      .append([batchOf({ topic: topic(), partition: 0 }, [record('live', '{"version":2}\n')])])
    const starts = [() => outside().read(), () => outside().claim(delivery('A'), 0, true), () => outside().begin()]
    for (const start of starts) {
      await expect(start()).rejects.toMatchObject({ exit: 75, message: expect.stringContaining('version 2') })
    }
  })

  it('is refused where it would lose its records', async () => {
    await log()
      .admin()
      .create({ name: topic(), partitions: 1, settings: { 'cleanup.policy': 'delete' } })
    await expect(outside().claim(delivery('A'), 0, false)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      at: { topic: topic() },
    })
  })

  it('still has the last record of each key once it is compacted', async () => {
    const settings = { 'cleanup.policy': 'compact', 'segment.ms': '100', 'min.cleanable.dirty.ratio': '0.01' }
    await log().admin().create({ name: topic(), partitions: 1, settings })
    const live = outside()
    const range = commitAfter(null, 'A')
    await deliver(outside({ key: 'g2' }), [], range)
    let last = commitAfter(null, 'A')
    await deliver(live, [], last)
    const keys = async () => (await readAll(log(), { topic: topic(), partition: 0 })).map(({ key }) => key)
    // The newest segment is never compacted: each commit may begin another one.
    for (let commits = 1; (await keys()).length === commits + 1; commits++) {
      last = commitAfter(last, 'A')
      await deliver(live, [], last)
    }
    expect(plain(await outside().read())).toEqual(plain(last))
    expect(plain(await outside({ key: 'g2' }).read())).toEqual(plain(range))
    await deliver(outside(), [], commitAfter(last, 'A'))
  })
})
