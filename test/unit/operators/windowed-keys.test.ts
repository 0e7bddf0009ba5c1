import { job, json, session, sessionWindowed, string, timeWindowed, topic, tumbling } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers } from '../runtime-task/topics.ts'

const clicks = topic('clicks', { key: string(), value: json<number>() })

it('windows go out in the partition of their key, as Kafka Streams places them', async () => {
  const hours = topic('hours', { key: timeWindowed(string(), 10), value: json<number>() })
  const visits = topic('visits', { key: sessionWindowed(string()), value: json<number>(), nullValue: true })
  const plain = topic('plain', { key: string(), value: json<number>() })
  const counting = job('counting', {}, ({ stream }) => {
    stream(clicks).to(plain)
    stream(clicks).groupByKey().windowedBy(tumbling(10)).count('by-hour').to(hours)
    stream(clicks).groupByKey().windowedBy(session(10)).count('by-visit').toStream().to(visits)
  })
  const driver = await TestDriver.create(counting, { partitions: 5 })
  const keys = Array.from({ length: 20 }, (_, number) => `key ${number}`)
  await driver.pipe(
    clicks,
    keys.map((key, at) => ({ key, value: 1, timestamp: at * 7 })),
  )
  await driver.endRange()
  const partitions = new Map((await driver.read(plain)).map(({ key, partition }) => [key, partition]))
  expect(new Set(partitions.values()).size).toBeGreaterThan(2)
  const windows = [...(await driver.read(hours)), ...(await driver.read(visits))]
  expect(windows).toHaveLength(40)
  for (const { key, partition } of windows) expect(partition).toBe(partitions.get(key?.key ?? ''))
})

it('a topic of windows is read as it was written: keys with start and end, kept in tables by their bytes', () => {
  const windows = topic('windows', { key: timeWindowed(string(), 10), value: json<number>() })
  const piped = new PipedJob(({ stream, table }) => {
    const counted = stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts')
    counted.filter((count) => count > 1, 'many')
    counted.toStream().groupByKey().count('updates').toStream().to(anyOut)
    const kept = table(windows, 'before')
    counted
      .toStream()
      .join(kept, (now, before) => ({ now, before }))
      .to(anyOut)
  })
  piped.pipe(windows, { key: { key: 'a', start: 20, end: 30 }, value: 7, at: 1 })
  const window = { key: 'a', start: 20, end: 30 }
  expect(piped.pipe(numbers, { key: 'a', value: 1, at: 25 })).toEqual([
    { topic: 'out', key: window, value: 1, at: 25 },
    { topic: 'out', key: window, value: { now: 1, before: 7 }, at: 25 },
  ])
  piped.pipe(numbers, { key: 'a', value: 1, at: 26 })
  expect(piped.store('many')).toEqual([['a', 2, 20]])
  expect(piped.store('updates')).toEqual([['a', 2, 20]])
  expect(piped.store('before')).toEqual([['a', 7, 20]])
})
