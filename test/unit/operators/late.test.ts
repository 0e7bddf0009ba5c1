import { hopping, json, string, topic, tumbling } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers } from '../runtime-task/topics.ts'

const lateOut = topic('late', { key: string(), value: json<unknown>(), nullKey: true, nullValue: true })

it('a late record goes on as it is, once, with its own bytes, time and headers', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts').late().to(lateOut)
  })
  piped.pipe(numbers, { key: 'a', value: 1, at: 25 })
  piped.raw = []
  const headers = [['trace', Buffer.from('t1')]] as const
  expect(piped.pipe(numbers, { key: 'b', raw: ' 7 ', value: 7, at: 3, headers })).toEqual([
    { topic: 'late', key: 'b', value: 7, at: 3 },
  ])
  expect(piped.raw).toEqual([{ topic: 'late', task: 0, key: 'b', value: ' 7 ', headers }])
})

it('a record that misses some of its windows is late, and counted in the others', () => {
  const piped = new PipedJob(({ stream }) => {
    const table = stream(numbers)
      .groupByKey()
      .windowedBy(hopping(10, { advance: 5 }))
      .count('counts')
    table
      .late((value, key, missed) => ({ value, key, missed: missed.map(({ start, end }) => [start, end]) }))
      .to(lateOut)
    table.toStream().to(anyOut)
  })
  piped.pipe(numbers, { key: 'a', value: 1, at: 11 })
  expect(piped.pipe(numbers, { key: 'a', value: 2, at: 7 })).toEqual([
    { topic: 'out', key: { key: 'a', start: 5, end: 15 }, value: 2, at: 11 },
    { topic: 'late', key: 'a', value: { value: 2, key: 'a', missed: [[0, 10]] }, at: 7 },
  ])
  expect(piped.counts.counts).toEqual({ late: 1, droppedWindows: 1 })
})

it('a record that misses all of them counts each', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(hopping(10, { advance: 5 }))
      .count('counts')
      .late()
      .to(lateOut)
  })
  piped.pipe(numbers, { key: 'a', value: 1, at: 100 })
  expect(piped.pipe(numbers, { key: 'a', value: 2, at: 7 })).toHaveLength(1)
  expect(piped.counts.counts).toEqual({ late: 1, droppedWindows: 2 })
})

it('late records reach the steps below behind an exchange too', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupBy((_, key) => `${key}!`, string())
      .windowedBy(tumbling(10))
      .count('counts')
      .late()
      .groupByKey()
      .count('lates')
  }, 4)
  for (const at of [25, 3, 4]) piped.pipe(numbers, { key: 'a', value: 1, at })
  expect(piped.store('lates')).toEqual([['a!', 2]])
})
