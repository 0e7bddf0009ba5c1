import { hopping, job } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

it('a record is in every window that contains it, and none starts below 0', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(hopping(10, { advance: 4 }))
      .count('counts')
      .toStream()
      .to(anyOut)
  })
  const windows = (at: number) =>
    piped.pipe(numbers, { key: 'a', value: 1, at }).map(({ key }) => {
      const { start, end } = key as { start: number; end: number }
      return [start, end]
    })
  expect(windows(3)).toEqual([[0, 10]])
  expect(windows(9)).toEqual([
    [0, 10],
    [4, 14],
    [8, 18],
  ])
  expect(windows(10)).toEqual([
    [4, 14],
    [8, 18],
  ])
  expect(piped.store('counts')).toEqual([
    ['a', 2, 0],
    ['a', 2, 4],
    ['a', 2, 8],
  ])
})

it.each(['memory', 'embedded'])('B4 in runs, one for each record (%s)', async (world) => {
  const hops = job('hops', {}, ({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(hopping(10, { advance: 4 }))
      .count('counts')
      .toStream()
      .to(anyOut)
  })
  const field = new Field(world)
  await field.topic('numbers')
  for (const [record, outputs] of [
    ['p0/0 a @3', 1],
    ['p0/1 a @9', 3],
    ['p0/2 a @10', 2],
  ] as const) {
    await field.write('numbers', record)
    expect((await field.run(hops)).outputs).toBe(outputs)
  }
  expect(field.store(hops, 'counts')).toEqual(['a[0,10)=2', 'a[4,14)=2', 'a[8,18)=2'])
  expect(field.checkpoint(hops)).toEqual({ 'numbers/0': 3 })
})
