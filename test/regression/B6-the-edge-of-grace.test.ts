import { job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

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

describe.each(['memory', 'embedded'])('B6 in runs (%s)', (world) => {
  const graced = job('graced', {}, ({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(tumbling(10, { grace: 5 }))
      .count('counts')
      .to(anyOut)
  })
  const records = ['p0/0 a @3', 'p0/1 b @14', 'p0/2 a @9', 'p0/3 b @15', 'p0/4 a @8']

  it.each([
    { name: 'in one run', runs: [records] },
    { name: 'in a run each', runs: records.map((record) => [record]) },
  ])('another partition moves no time here, $name', async ({ runs }) => {
    const field = new Field(world)
    await field.topic('numbers', 2)
    await field.write('numbers', 'p1/0 c @1000')
    let late = (await field.run(graced)).late
    for (const records of runs) {
      await field.write('numbers', ...records)
      late += (await field.run(graced)).late
    }
    expect(late).toBe(1)
    expect(field.store(graced, 'counts')).toEqual(['a[0,10)=2', 'b[10,20)=2', 'c[1000,1010)=1'])
    expect(field.checkpoint(graced)).toEqual({ 'numbers/0': 5, 'numbers/1': 1 })
  })
})
