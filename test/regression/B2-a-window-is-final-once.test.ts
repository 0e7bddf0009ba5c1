import { tumbling } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'

function finals() {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(tumbling(60_000, { grace: 10_000 }))
      .count('counts', { emit: 'on-window-close' })
      .toStream()
      .to(anyOut)
  })
  for (const at of [0, 30_000, 59_000]) expect(piped.pipe(numbers, { key: 'a', value: 1, at })).toEqual([])
  return piped
}

const FINAL = { topic: 'out', key: { key: 'a', start: 0, end: 60_000 }, value: 3, at: 59_000 }

it('a window that is open when a run ends goes out when a later run closes it, once', () => {
  const piped = finals()
  piped.restart()
  expect(piped.pipe(numbers, { key: 'b', value: 1, at: 70_000 })).toEqual([FINAL])
  piped.restart()
  expect(piped.pipe(numbers, { key: 'a', value: 1, at: 59_500 })).toEqual([])
  expect(piped.counts.counts?.late).toBe(1)
})

it('a window stays open while its end and grace are ahead of stream time', () => {
  const piped = finals()
  piped.restart()
  expect(piped.pipe(numbers, { key: 'b', value: 1, at: 69_999 })).toEqual([])
})

it('windows closed on request go out at once, and never again', () => {
  const piped = finals()
  piped.processor.closeWindows()
  expect(piped.emitted()).toEqual([FINAL])
  piped.restart()
  piped.processor.closeWindows()
  expect(piped.pipe(numbers, { key: 'b', value: 1, at: 70_000 })).toEqual([])
  expect(piped.pipe(numbers, { key: 'a', value: 1, at: 59_500 })).toEqual([])
  expect(piped.counts.counts?.late).toBe(1)
})
