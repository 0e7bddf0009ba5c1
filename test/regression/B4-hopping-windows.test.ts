import { hopping } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'

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
