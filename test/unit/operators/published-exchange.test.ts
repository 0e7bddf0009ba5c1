import { json, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { numbers, out } from '../runtime-task/topics.ts'

const strict = topic('mid', { key: string(), value: json<number>() })

it('what is written to a topic that is also read goes out, and on inside, after the input record', () => {
  const piped = new PipedJob(({ stream }) => {
    const all = stream(numbers)
    all
      .filter((v) => v !== null)
      .mapValues((v) => v ?? 0)
      .selectKey((_, k) => k ?? '', string())
      .to(strict)
    all.mapValues((v) => -(v ?? 0)).to(out)
    stream(strict)
      .mapValues((v) => v * 10)
      .to(out)
  })
  expect(piped.pipe(numbers, { key: 'a', value: 1 }).map(({ topic, value }) => [topic, value])).toEqual([
    ['mid', 1],
    ['out', -1],
    ['out', 10],
  ])
})

it('a record that its readers may not see is written, skipped and counted', () => {
  const loose = { ...strict, nullKey: false, nullValue: false }
  const piped = new PipedJob(({ stream }) => {
    // biome-ignore lint/suspicious/noExplicitAny: the types would not let null into such a topic
    stream(numbers).to(loose as any)
    stream(loose).to(out)
  })
  expect(piped.pipe(numbers, { key: 'a', value: null }).map(({ topic }) => topic)).toEqual(['mid'])
  expect(piped.pipe(numbers, { key: null, value: 1 }).map(({ topic }) => topic)).toEqual(['mid'])
  expect(piped.counts['mid:exchange']).toEqual({ skipped: { 'null-value': 1, 'null-key': 1 } })
})

it('a table of such a topic takes a null value as a delete', () => {
  const piped = new PipedJob(({ stream, table }) => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    stream(numbers).to(strict as any)
    table(strict, 'rows')
  })
  piped.pipe(numbers, { key: 'a', value: 1 })
  piped.pipe(numbers, { key: 'b', value: 2 })
  piped.pipe(numbers, { key: 'a', value: null })
  expect(piped.store('rows')).toEqual([['b', 2]])
})
