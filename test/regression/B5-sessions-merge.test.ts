import { job, session } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../unit/runtime-task/piped-job.ts'
import { anyOut, numbers } from '../unit/runtime-task/topics.ts'
import { Field } from './support/field.ts'

const visits = job('visits', {}, ({ stream }) => {
  stream(numbers)
    .groupByKey()
    .windowedBy(session(5, { grace: 100 }))
    .count('counts')
    .toStream()
    .to(anyOut)
})

describe('a session that grows into another one takes both back', () => {
  it('one tombstone each, by end, then the merged one', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(session(5, { grace: 100 }))
        .count('counts')
        .toStream()
        .to(anyOut)
    })
    const sessions = (at: number) =>
      piped.pipe(numbers, { key: 'a', value: 1, at }).map(({ key, value, at: time }) => {
        const { start, end } = key as { start: number; end: number }
        return [`[${start},${end}]`, value, time]
      })
    expect(sessions(0)).toEqual([['[0,0]', 1, 0]])
    expect(sessions(5)).toEqual([
      ['[0,0]', null, 0],
      ['[0,5]', 2, 5],
    ])
    expect(sessions(11)).toEqual([['[11,11]', 1, 11]])
    expect(sessions(8)).toEqual([
      ['[0,5]', null, 5],
      ['[11,11]', null, 11],
      ['[0,11]', 4, 11],
    ])
    expect(piped.store('counts')).toEqual([['a', 4, 0]])
  })

  it.each(['memory', 'embedded'])('B5 in runs, one for each record (%s)', async (world) => {
    const field = new Field(world)
    await field.topic('numbers')
    for (const [record, outputs] of [
      ['p0/0 a @0', 1],
      ['p0/1 a @5', 2],
      ['p0/2 a @11', 1],
      ['p0/3 a @8', 3],
    ] as const) {
      await field.write('numbers', record)
      expect((await field.run(visits)).outputs).toBe(outputs)
    }
    const window = (start: number, end: number) => JSON.stringify({ key: 'a', start, end })
    expect(await field.out('out')).toEqual([
      `${window(0, 0)}→1 @0`,
      `${window(0, 0)}→∅ @0`,
      `${window(0, 5)}→2 @5`,
      `${window(11, 11)}→1 @11`,
      `${window(0, 5)}→∅ @5`,
      `${window(11, 11)}→∅ @11`,
      `${window(0, 11)}→4 @11`,
    ])
    expect(field.checkpoint(visits)).toEqual({ 'numbers/0': 4 })
  })
})

it('a session is late only when what it would become is: its end before stream time less grace and gap', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .windowedBy(session(5, { grace: 10 }))
      .count('counts')
      .toStream()
      .to(anyOut)
  })
  const outputs = (key: string, at: number) => piped.pipe(numbers, { key, value: 1, at }).length
  expect(outputs('a', 16)).toBe(1)
  expect(outputs('b', 30)).toBe(1)
  expect(outputs('c', 15)).toBe(1) // 15 = 30 - 10 - 5 is still open
  expect(outputs('d', 14)).toBe(0)
  expect(outputs('a', 14)).toBe(2) // joins [16,16], which ends late enough
  expect(piped.counts.counts).toEqual({ late: 1, droppedWindows: 1 })
})
