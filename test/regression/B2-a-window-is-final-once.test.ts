import { job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

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

describe.each(['memory', 'embedded'])('B2 in runs (%s)', (world) => {
  const finalCounts = job('finals', {}, ({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(tumbling(60_000, { grace: 10_000 }))
      .count('counts', { emit: 'on-window-close' })
      .toStream()
      .to(anyOut)
  })
  const final = '{"key":"a","start":0,"end":60000}→3 @59000'

  async function first(closeWindows: boolean): Promise<Field> {
    const field = new Field(world)
    await field.topic('numbers')
    await field.write('numbers', 'p0/0 a @0', 'p0/1 a @30000', 'p0/2 a @59000')
    await field.run(finalCounts, { closeWindows })
    return field
  }

  it('the end of a run closes nothing; a later record does, and its window is closed for good', async () => {
    const field = await first(false)
    expect(await field.out('out')).toEqual([])
    await field.write('numbers', 'p0/3 b @70000')
    await field.run(finalCounts)
    expect(await field.out('out')).toEqual([final])
    await field.write('numbers', 'p0/4 a @59500')
    expect(await field.run(finalCounts)).toMatchObject({ late: 1, outputs: 0 })
    expect(await field.out('out')).toEqual([final])
    expect(field.checkpoint(finalCounts)).toEqual({ 'numbers/0': 5 })
  })

  it('a record just before that closes nothing', async () => {
    const field = await first(false)
    await field.write('numbers', 'p0/3 b @69999')
    expect(await field.run(finalCounts)).toMatchObject({ records: 1, outputs: 0 })
  })

  it('closed on request it goes out at once, and no later run repeats it', async () => {
    const field = await first(true)
    expect(await field.out('out')).toEqual([final])
    await field.run(finalCounts, { closeWindows: true })
    await field.write('numbers', 'p0/3 b @70000')
    await field.run(finalCounts)
    await field.write('numbers', 'p0/4 a @59500')
    expect(await field.run(finalCounts)).toMatchObject({ late: 1, outputs: 0 })
    expect(await field.out('out')).toEqual([final])
  })
})
