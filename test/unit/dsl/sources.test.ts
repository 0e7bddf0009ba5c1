import { json, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { invalid, nodesOf, numbers, out, shape } from './topics.ts'

const refuses = (build: Parameters<typeof nodesOf>[0], message: string | RegExp) =>
  expect(() => nodesOf(build)).toThrowError(expect.objectContaining(invalid(message)))

describe('a topic read twice', () => {
  it('as a stream is one source', () => {
    const twin = topic('numbers', { key: string(), value: json<number>() })
    expect(
      shape(({ stream }) => {
        stream(numbers).to(out)
        stream(twin).groupByKey().count('count')
      }),
    ).toEqual(['numbers:stream', 'out:sink < numbers:stream', 'count < numbers:stream'])
  })

  it('as a table is one table', () => {
    expect(
      shape(({ table }) => {
        table(numbers, 'kept').to(out)
        table(numbers).toStream()
      }),
    ).toEqual(['kept', 'out:sink < kept', 'kept:to-stream < kept'])
  })

  it('as stream and table is refused', () => {
    refuses(({ stream, table }) => {
      stream(numbers)
      table(numbers)
    }, /the topic numbers is read as a stream and as a table$/)
  })

  it('as tables of two names is refused', () => {
    refuses(({ table }) => {
      table(numbers, 'one')
      table(numbers, 'two')
    }, /the table of numbers has no name or another one already$/)
  })

  it.each([
    ['serdes', topic('numbers', { key: json<string>(), value: json<number>() })],
    ['nulls', topic('numbers', { key: string(), value: json<number>(), nullKey: true })],
    ['times', topic('numbers', { key: string(), value: json<number>(), timestamp: 'wall-clock' })],
    ['policies', topic('numbers', { key: string(), value: json<number>(), onInvalidTimestamp: 'skip' })],
  ])('with other %s is refused', (_, twin) => {
    refuses(({ stream }) => {
      stream(numbers)
      stream(twin as typeof numbers)
    }, /the topic numbers is declared in two ways$/)
  })
})

describe('a topic', () => {
  it('is plain data', () => {
    const extract = () => 5
    expect(topic('t', { key: string(), value: json<number>() })).toEqual({
      name: 't',
      key: string(),
      value: json(),
      nullKey: false,
      nullValue: false,
      timestamp: { from: 'record' },
      onInvalidTimestamp: 'fail',
    })
    const value = json<{ at: number }>()
    expect(topic('t', { key: string(), value, timestamp: { field: 'at' } }).timestamp).toEqual({
      from: 'field',
      field: 'at',
    })
    expect(topic('t', { key: string(), value, timestamp: 'wall-clock' }).timestamp).toEqual({ from: 'wall-clock' })
    expect(topic('t', { key: string(), value, timestamp: extract }).timestamp).toEqual({ from: 'function', extract })
  })

  it.each(['', 'a/b', 'ä', '.'])('is not called "%s"', (name) => {
    expect(() => topic(name, { key: string(), value: string() })).toThrowError(
      expect.objectContaining(invalid(/a topic/)),
    )
  })
})

describe('a topic whose types nobody has checked', () => {
  const whole = { key: string(), value: json<number>() }
  it.each([
    [undefined, /the topic t has no serdes$/],
    [{ key: string() }, /the topic t has no serde for its values$/],
    [{ ...whole, key: string }, /the topic t has no serde for its keys$/],
    [{ ...whole, nullkey: true }, /the topic t has no option nullkey$/],
    [{ ...whole, timestamp: 'recrod' }, /the topic t has a timestamp that nothing gives$/],
    [{ ...whole, timestamp: {} }, /the topic t has a timestamp that nothing gives$/],
    [{ ...whole, onInvalidTimestamp: 'ignore' }, /the topic t cannot have ignore as onInvalidTimestamp$/],
  ])('is refused where it is declared: %j', (options, message) => {
    expect(() => topic('t', options as typeof whole)).toThrowError(expect.objectContaining(invalid(message)))
  })
})

describe('keys', () => {
  const byJson = topic('by-json', { key: json<string>(), value: json<number>() })

  it('of a join are of one format', () => {
    refuses(({ stream, table }) => {
      stream(numbers).join(table(byJson), (one) => one)
    }, /the stream has string keys, and the table json ones$/)
  })

  it('of a table keep their bytes in its sink', () => {
    refuses(({ table }) => {
      table(numbers).to(byJson)
    }, /the table has string keys, and the topic by-json json ones$/)
  })

  it('and values have a serde where their bytes are needed, whatever the types were told', () => {
    refuses(({ stream }) => {
      const one = stream(numbers)
      one.merge(stream(byJson)).groupByKey().count('count')
    }, /the serde of the keys is not known$/)
  })
})
