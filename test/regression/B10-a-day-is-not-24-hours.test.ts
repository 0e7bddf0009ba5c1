import { calendar, calendarWindowed, job, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

const key = calendarWindowed(string())
const days = topic('days', { key, value: json<number>() })

const dayOf = (bytes: Uint8Array) => key.decode(bytes, 0, bytes.length)

const daily = job('daily', {}, ({ stream }) => {
  stream(numbers)
    .groupByKey()
    .windowedBy(calendar('day', { zone: 'Europe/Berlin' }))
    .count('counts')
    .to(days)
})

const AUTUMN = ['2025-10-25T22:00:00Z', '2025-10-26T22:59:59.999Z', '2025-10-26T23:00:00Z'].map(Date.parse)
const SPRING = ['2025-03-29T23:00:00Z', '2025-03-30T21:59:59.999Z', '2025-03-30T22:00:00Z'].map(Date.parse)
const HOUR = 3_600_000

describe('a day of a calendar is as long as it is in its zone', () => {
  it.each([
    ['25 hours on 26 October', AUTUMN, 25],
    ['23 hours on 30 March', SPRING, 23],
  ])('%s', (_, [first = 0, last = 0, next = 0], hours) => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(calendar('day', { zone: 'Europe/Berlin' }))
        .count('counts')
    })
    for (const at of [first, last, next]) piped.pipe(numbers, { key: 'a', value: 1, at })
    expect(piped.store('counts')).toEqual([
      ['a', 2, first],
      ['a', 1, next],
    ])
    expect(next - first).toBe(hours * HOUR)
  })

  it.each(['memory', 'embedded'])('B10 in runs, with start and end in the keys that go out (%s)', async (world) => {
    const field = new Field(world)
    await field.topic('numbers')
    for (const at of [...SPRING, ...AUTUMN]) {
      await field.write('numbers', `a @${at}`)
      await field.run(daily)
    }
    const [spring = 0, , springNext = 0] = SPRING
    const [autumn = 0, , autumnNext = 0] = AUTUMN
    expect(field.store(daily, 'counts')).toEqual([
      `a[${autumn},${autumn + 25 * HOUR})=2`,
      `a[${autumnNext},${autumnNext + 24 * HOUR})=1`,
    ])
    const written = (await field.records('days')).map(({ key: bytes, value }) => {
      if (bytes === null) throw new Error('a table has keys')
      return { ...dayOf(bytes), value: Number(Buffer.from(value ?? []).toString()) }
    })
    expect(written.map(({ start, end, value }) => [start, end, value])).toEqual([
      [spring, spring + 23 * HOUR, 1],
      [spring, spring + 23 * HOUR, 2],
      [springNext, springNext + 24 * HOUR, 1],
      [autumn, autumn + 25 * HOUR, 1],
      [autumn, autumn + 25 * HOUR, 2],
      [autumnNext, autumnNext + 24 * HOUR, 1],
    ])
  })
})
