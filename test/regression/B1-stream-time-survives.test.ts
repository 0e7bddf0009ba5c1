import { job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

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

describe.each(['memory', 'embedded'])('B1 in runs (%s)', (world) => {
  const windowed = job('windowed', {}, ({ stream }) => {
    stream(numbers).groupByKey().windowedBy(tumbling(10)).count('counts').to(anyOut)
  })

  it('two runs end as one does', async () => {
    const [cut, whole] = [new Field(world), new Field(world)]
    for (const field of [cut, whole]) await field.topic('numbers')
    await cut.write('numbers', 'p0/0 a @5', 'p0/1 a @25')
    expect(await cut.run(windowed)).toMatchObject({ records: 2, late: 0 })
    expect(cut.store(windowed, 'counts')).toEqual(['a[0,10)=1', 'a[20,30)=1'])
    await cut.write('numbers', 'p0/2 a @7')
    expect(await cut.run(windowed)).toMatchObject({ records: 1, late: 1, outputs: 0 })

    await whole.write('numbers', 'p0/0 a @5', 'p0/1 a @25', 'p0/2 a @7')
    expect(await whole.run(windowed)).toMatchObject({ records: 3, late: 1 })
    expect(cut.store(windowed, 'counts')).toEqual(whole.store(windowed, 'counts'))
    expect(await cut.out('out')).toEqual(await whole.out('out'))
    expect(cut.checkpoint(windowed)).toEqual(whole.checkpoint(windowed))
  })
})
