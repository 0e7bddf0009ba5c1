import { tumbling } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'

function counted() {
  return new PipedJob(({ stream }) => {
    stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts').to(anyOut)
  })
}

it('a record that is late in one run is late in the next one too', () => {
  const cut = counted()
  expect(cut.pipe(numbers, { key: 'a', value: 1, at: 5 }).map(({ value }) => value)).toEqual([1])
  expect(cut.pipe(numbers, { key: 'a', value: 1, at: 25 }).map(({ value }) => value)).toEqual([1])
  cut.restart()
  expect(cut.pipe(numbers, { key: 'a', value: 1, at: 7 })).toEqual([])
  expect(cut.counts.counts).toEqual({ late: 1, droppedWindows: 1 })
  expect(cut.store('counts')).toEqual([
    ['a', 1, 0],
    ['a', 1, 20],
  ])

  const whole = counted()
  for (const at of [5, 25, 7]) whole.pipe(numbers, { key: 'a', value: 1, at })
  expect(whole.store('counts')).toEqual(cut.store('counts'))
  expect(whole.counts).toEqual(cut.counts)
  expect(whole.processor.streamTimes()).toEqual(cut.processor.streamTimes())
})
