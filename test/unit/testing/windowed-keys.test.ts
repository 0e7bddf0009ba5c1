import { job, json, session, string, topic, tumbling, untilWindowCloses } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'

const numbers = topic('numbers', { key: string(), value: json<number>() })

const counting = job('counting', {}, ({ stream }) => {
  const counts = stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts')
  counts.filter((count) => count > 0, 'shown')
  counts.suppress('final', untilWindowCloses())
  stream(numbers)
    .groupByKey()
    .windowedBy(session(5, { grace: 100 }))
    .count('visits')
    .suppress('over', untilWindowCloses())
})

describe.each(['counts', 'shown', 'final', 'over'])('the store %s of a table with windows', (store) => {
  const driven = async () => {
    const driver = await TestDriver.create(counting)
    for (const [key, timestamp] of [
      ['a', 1],
      ['ab', 2],
      ['ab', 2],
      ['a', 9],
    ] as const) {
      await driver.pipe(numbers, { key, value: 1, timestamp })
    }
    return driver
  }

  it('is read by key, as its windows', async () => {
    const driver = await driven()
    const rows = await driver.store(store, { key: 'a' })
    const visits =
      store === 'over'
        ? [
            { start: 1, end: 1, value: 1 },
            { start: 9, end: 9, value: 1 },
          ]
        : [{ start: 0, end: 10, value: 2 }]
    expect(rows.map(({ key, start, end, value }) => ({ key, start, end, value }))).toEqual(
      visits.map((visit) => ({ key: 'a', ...visit })),
    )
  })

  it('is read by prefix, and by the start of windows', async () => {
    const driver = await driven()
    expect((await driver.store(store, { prefix: 'a' })).map(({ key }) => key)).toContain('ab')
    expect(await driver.store(store, { key: 'a', fromTime: 10 })).toEqual([])
    expect((await driver.store(store, { key: 'a', toTime: 10 })).length).toBeGreaterThan(0)
    expect(await driver.store(store)).toHaveLength(store === 'over' ? 3 : 2)
  })
})

it('rows that are kept by key and window are read by both', async () => {
  const driver = await TestDriver.create(counting)
  await driver.pipe(numbers, { key: 'a', value: 1, timestamp: 1 })
  const rows = await driver.store('final', { key: { key: 'a', start: 0, end: 10 } })
  expect(rows.map(({ value }) => value)).toEqual([1])
  expect(await driver.store('final', { key: { key: 'a', start: 10, end: 20 } })).toEqual([])
})
