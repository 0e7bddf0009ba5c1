import { type JobBuilder, json, string, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { isTidemarkError, type TidemarkError } from '../../../src/core/errors.ts'
import { type Piped, PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers, others } from '../runtime-task/topics.ts'

// Callbacks that break the promise of their types, as a JavaScript job may.
// biome-ignore lint/suspicious/noExplicitAny: the point is what no type would let through
const broken: any = () => undefined
// biome-ignore lint/suspicious/noExplicitAny: as above
const async: any = async () => 1
const int = json<number>()

/** Where each callback may be, with the name of its step. */
const PLACES: readonly [what: string, step: string, build: (builder: JobBuilder, callback: typeof broken) => void][] = [
  ['map', 'numbers:map', ({ stream }, f) => stream(numbers).map(f).to(anyOut)],
  ['mapValues', 'numbers:map-values', ({ stream }, f) => stream(numbers).mapValues(f).to(anyOut)],
  ['flatMap', 'numbers:flat-map', ({ stream }, f) => stream(numbers).flatMap(f).to(anyOut)],
  ['flatMapValues', 'numbers:flat-map-values', ({ stream }, f) => stream(numbers).flatMapValues(f).to(anyOut)],
  ['selectKey', 'numbers:select-key', ({ stream }, f) => stream(numbers).selectKey(f).to(anyOut)],
  ['groupBy', 'numbers:select-key', ({ stream }, f) => void stream(numbers).groupBy(f, string()).count('counts')],
  [
    'init',
    'sums',
    ({ stream }, f) =>
      void stream(numbers)
        .groupByKey()
        .aggregate('sums', { init: f, add: (a) => a, serde: int }),
  ],
  [
    'add',
    'sums',
    ({ stream }, f) =>
      void stream(numbers)
        .groupByKey()
        .aggregate('sums', { init: () => 0, add: f, serde: int }),
  ],
  [
    'result',
    'sums',
    ({ stream }, f) =>
      void stream(numbers)
        .groupByKey()
        .aggregate('sums', { init: () => 0, add: (a) => a, result: f, serde: int }),
  ],
  [
    'windowed add',
    'sums',
    ({ stream }, f) =>
      void stream(numbers)
        .groupByKey()
        .windowedBy(tumbling(10))
        .aggregate('sums', { init: () => 0, add: f, serde: int }),
  ],
  ['table mapValues', 'numbers:table-map-values', ({ table }, f) => table(numbers).mapValues(f).toStream().to(anyOut)],
  ['toStream', 'numbers:to-stream', ({ table }, f) => table(numbers).toStream(f).to(anyOut)],
  [
    'table groupBy',
    'numbers:table-group-by',
    ({ table }, f) => void table(numbers).groupBy(f, string()).count('counts'),
  ],
  [
    'table add',
    'sums',
    ({ table }, f) =>
      void table(numbers)
        .groupBy((v, k) => [k, v], string())
        .aggregate('sums', { init: () => 0, add: f, undo: f, serde: int }),
  ],
  [
    'leftJoin',
    'numbers:stream-table-join',
    ({ stream, table }, f) => stream(numbers).leftJoin(table(others), f).to(anyOut),
  ],
]

function failure(build: (builder: JobBuilder) => void, records: readonly Piped[]): TidemarkError {
  const piped = new PipedJob(build)
  try {
    for (const record of records) piped.pipe(numbers, record)
  } catch (error) {
    if (isTidemarkError(error)) return error
    throw error
  }
  throw new Error('nothing failed')
}

const ONE = [{ key: 'a', value: 1, at: 5, partition: 2 }]

describe('a callback that gives undefined', () => {
  it.each(PLACES)('in %s fails by name, with a hint', (_what, step, build) => {
    const error = failure((builder) => build(builder, broken), ONE)
    expect(error.code).toBe('USER_CODE_FAILED')
    expect(error.message).toMatch(/gave (undefined|no pair|nothing to go through)$/)
    expect(error.hint).toMatch(/[Rr]eturn/)
    expect(error.at).toEqual({ step, topic: 'numbers', partition: 2, offset: 0 })
  })

  it('in a list of results fails too', () => {
    const pairs = failure(
      ({ stream }) =>
        stream(numbers)
          .flatMap(() => [['k', broken()] as const])
          .to(anyOut),
      ONE,
    )
    expect(pairs.message).toBe('the mapper (value) gave undefined')
    const values = failure(
      ({ stream }) =>
        stream(numbers)
          .flatMapValues(() => [1, broken()])
          .to(anyOut),
      ONE,
    )
    expect(values.message).toBe('the mapper gave undefined')
  })
})

describe('a callback that gives a promise', () => {
  it.each(PLACES)('in %s fails by name', (_what, step, build) => {
    const error = failure((builder) => build(builder, async), ONE)
    expect(error.code).toBe('USER_CODE_FAILED')
    expect(error.at?.step).toBe(step)
  })

  it('in a predicate does not hold for every record', () => {
    const error = failure(({ stream }) => stream(numbers).filter(async).to(anyOut), ONE)
    expect(error.message).toBe('the predicate gave a promise')
  })
})

describe('a callback that throws', () => {
  const boom = new RangeError('boom')
  const throws = () => {
    throw boom
  }

  it.each(PLACES)('in %s is named with the record, and its error kept', (_what, step, build) => {
    const error = failure((builder) => build(builder, throws), ONE)
    expect(error.code).toBe('USER_CODE_FAILED')
    expect(error.message).toContain('RangeError: boom')
    expect(error.message).toMatch(/mistakes\.test\.ts:\d+/)
    expect(error.cause).toBe(boom)
    expect(error.at).toEqual({ step, topic: 'numbers', partition: 2, offset: 0 })
  })

  it('between two results of a generator is laid at its own door', () => {
    const error = failure(({ stream }) => {
      stream(numbers)
        .flatMapValues(function* () {
          yield 1
          throw boom
        })
        .mapValues((v) => v)
        .to(anyOut)
    }, ONE)
    expect(error.at?.step).toBe('numbers:flat-map-values')
  })

  it('behind an exchange is named with the input record', () => {
    const error = failure(
      ({ stream }) => {
        stream(numbers)
          .selectKey(() => 'all', string())
          .groupByKey()
          .reduce('sums', throws)
      },
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
    )
    expect(error.at).toEqual({ step: 'sums', topic: 'numbers', partition: 0, offset: 1 })
  })

  it('leaves nothing of its record in the exchanges', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .flatMapValues((v) => [v, v, v])
        .selectKey(() => 'all', string())
        .groupByKey()
        .aggregate('seen', {
          init: () => 0,
          add: (_, v) => {
            if (v === null || v < 0) throw boom
            return v
          },
          serde: int,
        })
        .toStream()
        .to(anyOut)
    })
    expect(() => piped.pipe(numbers, { key: 'a', value: -1 })).toThrow('boom')
    expect(piped.pipe(numbers, { key: 'a', value: 7 }).map(({ value }) => value)).toEqual([7, 7, 7])
  })
})

it('a value that the sink cannot write is laid at the sink', () => {
  const error = failure(
    ({ stream }) =>
      stream(numbers)
        .mapValues(() => 1n)
        .to(anyOut),
    ONE,
  )
  expect(error.code).toBe('USER_CODE_FAILED')
  expect(error.at).toEqual({ step: 'out:sink', topic: 'numbers', partition: 2, offset: 0 })
})

it('a value that the store cannot write is laid at the store', () => {
  const piped = new PipedJob(({ stream }) => {
    stream(numbers)
      .groupByKey()
      .aggregate('sums', { init: () => broken, add: () => 1n as unknown as number, serde: int })
  })
  piped.pipe(numbers, { key: 'a', value: 1 })
  expect(() => piped.views.flush()).toThrow(expect.objectContaining({ code: 'USER_CODE_FAILED', at: { step: 'sums' } }))
})
