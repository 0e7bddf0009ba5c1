import { tumbling } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'

it('a window is open while its end is past stream time less grace, in its own task', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(tumbling(10, { grace: 5 }))
      .count('counts')
      .to(anyOut)
  })
  piped.pipe(numbers, { key: 'c', value: 1, at: 1000, partition: 1 })
  for (const [key, at] of [
    ['a', 3],
    ['b', 14],
    ['a', 9],
    ['b', 15],
    ['a', 8],
  ] as const) {
    piped.pipe(numbers, { key, value: 1, at })
  }
  expect(piped.counts.counts).toEqual({ late: 1, droppedWindows: 1 })
  expect(piped.store('counts')).toEqual([
    ['a', 2, 0],
    ['b', 2, 10],
    ['c', 1, 1000],
  ])
})
