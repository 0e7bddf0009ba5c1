import { int64, json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers, others, out } from '../runtime-task/topics.ts'

const spaced = { key: 'a', raw: '{"b": 1,  "a": 1.0}', value: {}, at: 1 }
const objects = topic('objects', { key: string(), value: json<object>(), nullKey: true, nullValue: true })

function bytesOf(build: ConstructorParameters<typeof PipedJob>[0], input = objects): (string | null)[] {
  const piped = new PipedJob(build, 3)
  piped.pipe(input, spaced)
  return piped.raw.map(({ value }) => value)
}

describe('a value that no function has made keeps its bytes', () => {
  it.each([
    ['from topic to topic', ({ stream }) => stream(objects).to(out)],
    [
      'through steps that only look',
      ({ stream }) =>
        stream(objects)
          .filter(() => true)
          .peek(() => {})
          .to(out),
    ],
    [
      'under another key',
      ({ stream }) =>
        stream(objects)
          .selectKey(() => 'k', string())
          .to(out),
    ],
    [
      'through an exchange',
      ({ stream }) =>
        stream(objects)
          .selectKey(() => 'k', string())
          .toTable('t')
          .toStream()
          .to(out),
    ],
    [
      'through a table',
      ({ table }) =>
        table(objects, 'kept')
          .filter(() => true)
          .toStream()
          .to(out),
    ],
    ['into a table sink', ({ table }) => table(objects).to(out)],
  ] as [string, ConstructorParameters<typeof PipedJob>[0]][])('%s', (_name, build) => {
    expect(bytesOf(build)).toEqual([spaced.raw])
  })

  it('but not one that a function has made', () => {
    expect(
      bytesOf(({ stream }) =>
        stream(objects)
          .mapValues((v) => v)
          .to(out),
      ),
    ).toEqual(['{"b":1,"a":1}'])
  })

  it('and not where the formats differ', () => {
    const texts = topic('texts', { key: string(), value: string() })
    const piped = new PipedJob(({ stream }) => stream(texts).to(anyOut))
    piped.pipe(texts, { key: 'a', value: 'x' })
    expect(piped.raw.map(({ key, value }) => [key, value])).toEqual([['"a"', '"x"']])
  })
})

describe('a key that no function has made keeps its bytes', () => {
  const keyed = topic('keyed', { key: json<object>(), value: json<number>() })

  it('in stores and sinks', () => {
    const piped = new PipedJob(({ stream }) => stream(keyed).groupByKey().count('counts').toStream().to(anyOut))
    piped.pipe(keyed, { key: { a: 1 }, value: 1 })
    expect(piped.raw[0]?.key).toBe('{"a":1}')
    piped.views.flush()
    const table = piped.file.table({ name: 'counts', shape: 'key-value', format: '' })
    expect([...table.scan({})].map(({ key }) => key)).toEqual(['{"a":1}'])
  })

  it('but is written anew where two formats meet', () => {
    const ids = topic('ids', { key: int64(), value: json<number>() })
    const piped = new PipedJob(({ stream }) => {
      stream(ids)
        .selectKey((_, id) => `${id}`, string())
        .merge(stream(numbers))
        .groupByKey(string())
        .count('counts')
    })
    piped.pipe(ids, { key: 7n, value: 1 })
    piped.pipe(numbers, { key: '7', value: 1 })
    expect(piped.store('counts')).toEqual([['7', 2]])
  })

  it('and is raw behind a merge of like formats', () => {
    const piped = new PipedJob(({ stream }) => stream(numbers).merge(stream(others)).groupByKey().count('counts'))
    piped.pipe(numbers, { key: 'k', value: 1 })
    piped.pipe(others, { key: 'k', value: 1 })
    expect(piped.store('counts')).toEqual([['k', 2]])
  })
})
