import { json, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { partitionOf } from '../../../src/wire/murmur2.ts'
import { PipedJob } from './piped-job.ts'
import { anyOut, numbers, others } from './topics.ts'

it('a record goes to the task of its new key bytes, with its headers', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .flatMap((v, k) => ['x', 'y', 'é'].map((suffix) => [`${k}${suffix}`, v] as const), string())
      .groupByKey()
      .reduce('last', (_, v) => v ?? 0, json<number>())
      .toStream()
      .to(anyOut)
  }, 5)
  const headers = [['trace', Buffer.from('1')]] as const
  piped.pipe(numbers, { key: 'k', value: 1, headers, partition: 3 })
  expect(piped.raw.map(({ key, task }) => [key, task])).toEqual(
    ['kx', 'ky', 'ké'].map((key) => [`"${key}"`, partitionOf(Buffer.from(key).toString('latin1'), 5)]),
  )
  expect(piped.raw.every((record) => record.headers === headers)).toBe(true)
})

it('a record without key that an exchange carries stays with its task, as far as there is one', () => {
  const piped = new PipedJob(({ stream, table }) => {
    stream(numbers)
      .selectKey((_, k) => k, string())
      .leftJoin(table(others), (l) => l)
      .to(anyOut)
  }, 3)
  for (const partition of [0, 2, 4]) piped.pipe(numbers, { key: null, value: 1, partition })
  expect(piped.raw.map(({ task }) => task)).toEqual([0, 2, 1])
})

it('a row that another task takes over is counted', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers).groupByKey().count('counts')
  })
  piped.pipe(numbers, { key: 'k', value: 1, partition: 0 })
  piped.pipe(numbers, { key: 'l', value: 1, partition: 0 })
  piped.restart()
  piped.pipe(numbers, { key: 'k', value: 1, partition: 1 })
  piped.pipe(numbers, { key: 'm', value: 1, partition: 1 })
  piped.views.flush()
  expect(piped.views.moved()).toBe(1)
  expect(piped.store('counts')).toEqual([
    ['k', 2],
    ['l', 1],
    ['m', 1],
  ])
  piped.views.committed()
  expect(piped.views.moved()).toBe(0)
})

it('an exchange that is asked to gives values as they would come out of a topic', () => {
  const seen: unknown[] = []
  const dates = topic('dates', { key: string(), value: json<{ at: Date }>() })
  const piped = new PipedJob(
    ({ stream }) => {
      stream(dates)
        .selectKey((_, k) => k, string())
        .toTable('t')
        .toStream()
        .peek((v) => seen.push(v))
        .to(anyOut)
    },
    2,
    100,
    true,
  )
  piped.pipe(dates, { key: 'k', value: { at: new Date(0) } })
  expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }])
})
