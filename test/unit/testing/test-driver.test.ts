import { type JobOptions, job, json, string, topic, tumbling } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'

const clicks = topic('clicks', { key: string(), value: json<{ page: string }>() })
const names = topic('names', { key: string(), value: string() })
const counts = topic('counts', { key: string(), value: json<number>() })
const greetings = topic('greetings', { key: string(), value: string() })

const counting = job('counting', {}, ({ stream }) => {
  stream(clicks).groupByKey().count('clicks-by-user').to(counts)
})

const greeting = job('greeting', {}, ({ stream, table }) => {
  stream(clicks)
    .leftJoin(table(names), (click, name) => `${name ?? 'nobody'} saw ${click.page}`)
    .to(greetings)
})

/** Counts, and then may fail on bob. */
const failing = (options: JobOptions, fails: () => boolean) =>
  job('failing', options, ({ stream }) => {
    stream(clicks)
      .groupByKey()
      .count('clicks-by-user')
      .toStream()
      .peek((_count, key) => {
        if (key === 'bob' && fails()) throw new Error('not bob')
      })
      .to(counts)
  })

const click = (page = 'home') => ({ page })

describe('the test driver', () => {
  it('shows outputs when the range ends, and stores at once', async () => {
    const driver = await TestDriver.create(counting)
    await driver.pipe(clicks, { key: 'ann', value: click() })
    await driver.pipe(clicks, { key: 'ann', value: click() })
    expect(await driver.read(counts)).toEqual([])
    expect(await driver.store('clicks-by-user')).toMatchObject([{ key: 'ann', value: 2 }])
    const report = await driver.endRange()
    expect(report).toMatchObject({ status: 'done', records: 2, stores: [{ name: 'clicks-by-user', entries: 1 }] })
    expect(await driver.read(counts)).toMatchObject([{ key: 'ann', value: 2 }])
    expect(await driver.read(counts)).toEqual([])
  })

  it('forgets what was not committed when it crashes, and reads it again', async () => {
    const driver = await TestDriver.create(counting)
    await driver.pipe(clicks, { key: 'ann', value: click() })
    await driver.endRange()
    await driver.pipe(clicks, { key: 'ann', value: click() })
    driver.crash()
    expect(await driver.store('clicks-by-user')).toMatchObject([{ key: 'ann', value: 1 }])
    await driver.endRange()
    expect((await driver.read(counts)).map(({ value }) => value)).toEqual([1, 2])
  })

  it.each([
    ['skip', {}, { skipped: 1, deadLettered: 0 }],
    ['dead-letter', { deadLetterTopic: 'dead' }, { skipped: 0, deadLettered: 1 }],
  ] as const)(
    'leaves out a record on which user code fails, where the job says %s',
    async (onUserError, more, left) => {
      const driver = await TestDriver.create(failing({ onUserError, ...more }, () => true))
      for (const key of ['ann', 'bob', 'ann']) await driver.pipe(clicks, { key, value: click() })
      expect(await driver.endRange()).toMatchObject({ records: 3, outputs: 2, ...left })
      expect((await driver.read(counts)).map(({ key, value }) => [key, value])).toEqual([
        ['ann', 1],
        ['ann', 2],
      ])
      expect(await driver.store('clicks-by-user')).toMatchObject([{ key: 'ann', value: 2 }])
    },
  )

  it('keeps nothing of a range that fails, and reads it again', async () => {
    let fails = true
    const driver = await TestDriver.create(failing({}, () => fails))
    await driver.pipe(clicks, { key: 'ann', value: click() })
    const failed = { code: 'USER_CODE_FAILED' }
    await expect(driver.pipe(clicks, { key: 'bob', value: click() })).rejects.toMatchObject(failed)
    expect(await driver.store('clicks-by-user')).toEqual([])
    await expect(driver.endRange()).rejects.toMatchObject(failed)
    fails = false
    expect(await driver.endRange()).toMatchObject({ records: 2, outputs: 2 })
    expect((await driver.store('clicks-by-user')).map(({ value }) => value)).toEqual([1, 1])
  })

  it('processes records piped one by one in that order, and an array by event time', async () => {
    const oneByOne = await TestDriver.create(greeting)
    await oneByOne.pipe(clicks, { key: 'u', value: click(), timestamp: 20 })
    await oneByOne.pipe(names, { key: 'u', value: 'Ann', timestamp: 10 })
    await oneByOne.endRange()
    expect((await oneByOne.read(greetings)).map(({ value }) => value)).toEqual(['nobody saw home'])

    const merged = await TestDriver.create(greeting)
    await merged.append(clicks, [{ key: 'u', value: click(), timestamp: 20 }])
    await merged.pipe(names, [{ key: 'u', value: 'Ann', timestamp: 10 }])
    await merged.endRange()
    expect((await merged.read(greetings)).map(({ value }) => value)).toEqual(['Ann saw home'])
  })

  it('counts late records over ranges, and closes windows when asked', async () => {
    const hourly = job('hourly', {}, ({ stream }) => {
      stream(clicks)
        .groupByKey()
        .windowedBy(tumbling('1h'))
        .count('hourly', { emit: 'on-window-close' })
        .toStream()
        .map((value, { key, start }) => [`${key}@${start}`, value], string())
        .to(counts)
    })
    const driver = await TestDriver.create(hourly)
    await driver.pipe(clicks, { key: 'ann', value: click(), timestamp: 0 })
    await driver.pipe(clicks, { key: 'ann', value: click(), timestamp: 3_600_000 })
    expect(await driver.endRange()).toMatchObject({ late: 0 })
    expect((await driver.read(counts)).map(({ key, value }) => [key, value])).toEqual([['ann@0', 1]])
    await driver.pipe(clicks, { key: 'ann', value: click(), timestamp: 1 })
    expect(await driver.endRange({ closeWindows: true })).toMatchObject({ late: 1, droppedWindows: 1 })
    expect((await driver.read(counts)).map(({ key, value }) => [key, value])).toEqual([['ann@3600000', 1]])
  })
})
