import { job, json, string, topic, tumbling } from 'tidemark'
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
