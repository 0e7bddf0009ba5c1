import {
  calendar,
  calendarWindowed,
  type JobBuilder,
  job,
  json,
  type Serde,
  session,
  sessionWindowed,
  string,
  timeWindowed,
  topic,
  tumbling,
  type Windowed,
} from 'tidemark'
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

const readAs = (serde: Serde<Windowed<string>>) =>
  topic('windowed', { key: serde, value: json<number>(), nullValue: true })

it.each<[string, (builder: JobBuilder) => void]>([
  ['a table', (builder) => tens(builder).to(readAs(timeWindowed(string(), 20)))],
  [
    'a stream',
    (builder) =>
      tens(builder)
        .toStream()
        .to(readAs(timeWindowed(string(), 20))),
  ],
  [
    'a choice',
    (builder) =>
      tens(builder)
        .toStream()
        .to([readAs(timeWindowed(string(), 20))], () => null as never),
  ],
])('windows of 10 ms do not go into a topic that reads them as ones of 20: %s', (_, build) => {
  expect(() => job('counting', {}, build)).toThrowError(
    expect.objectContaining({
      code: 'JOB_INVALID',
      message: expect.stringMatching(/windowed-keys\.test\.ts:\d+: the windows are of 10 ms, .* as ones of 20 ms/),
    }),
  )
})

function tens({ stream }: JobBuilder) {
  return stream(clicks).groupByKey().windowedBy(tumbling(10)).count('counts')
}

it.each<[string, (builder: JobBuilder) => void]>([
  ['sessions', ({ stream }) => stream(clicks).groupByKey().windowedBy(session(5)).count('n').to(readAs(HOURS))],
  ['months', ({ stream }) => stream(clicks).groupByKey().windowedBy(MONTHS).count('n').to(readAs(HOURS))],
])('%s do not go into a topic of windows of one size', (_, build) => {
  expect(() => job('counting', {}, build)).toThrowError(
    expect.objectContaining({
      code: 'JOB_INVALID',
      message: expect.stringMatching(/windowed-keys\.test\.ts:\d+: the windows are not all of one size, .* 3600000 ms/),
      hint: expect.stringContaining('sessionWindowed and calendarWindowed write it'),
    }),
  )
})

it('a window of another size, made by a function of the job, does not go out as one of the topic', async () => {
  const longer = job('longer', {}, ({ stream }) => {
    stream(clicks)
      .selectKey((_, key) => ({ key: key ?? '', start: 0, end: 3 }), timeWindowed(string(), '1h'))
      .to(readAs(HOURS))
  })
  const driver = await TestDriver.create(longer)
  await expect(driver.pipe(clicks, { key: 'a', value: 1, timestamp: 7 })).rejects.toMatchObject({
    message: expect.stringContaining('is none of 3600000 ms'),
    hint: expect.stringContaining('have serdes of their own'),
  })
})

it('windows go out with the serde of another kind that tells their ends', async () => {
  const out = readAs(calendarWindowed(string()))
  const driver = await TestDriver.create(job('counting', {}, (builder) => tens(builder).to(out)))
  await driver.pipe(clicks, { key: 'a', value: 1, timestamp: 17 })
  await driver.endRange()
  expect((await driver.read(out)).map(({ key }) => key)).toEqual([{ key: 'a', start: 10, end: 20 }])
})

const HOURS = timeWindowed(string(), '1h')
const MONTHS = calendar('month', { zone: 'UTC' })
