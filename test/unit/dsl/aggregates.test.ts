import {
  type AggregateSpec,
  approxDistinctCount,
  approxQuantiles,
  collect,
  count,
  distinctCount,
  first,
  last,
  max,
  mean,
  min,
  sum,
  topK,
  variance,
} from 'tidemark'
import { describe, expect, it } from 'vitest'

type Spec = AggregateSpec<string, unknown, unknown, unknown, unknown>

/** What the table shows after each value: `[value]` takes it back. */
function shown(spec: unknown, values: readonly unknown[]): readonly unknown[] {
  const { init, add, undo, result, serde } = spec as Spec
  let state = init()
  return values.map((value) => {
    state = Array.isArray(value) ? undo?.(state, value[0], 'k') : add(state, value, 'k')
    const stored = serde.encode(state)
    state = serde.decode(stored, 0, stored.length)
    return result === undefined ? state : result(state, 'k')
  })
}

const self = (value: number | null): number | null => value
const exact = (value: bigint): bigint => value
const mixed = (value: number | string | bigint | boolean | null) => value
const text = (value: number | string | null) => (typeof value === 'string' ? value : `v${value}`)
const BOXES = [{ boxed: 1 }, { boxed: 2n ** 60n + 2n }]
const boxed = (value: number) => BOXES[value - 1] ?? null

describe('ready aggregates', () => {
  it.each([
    ['count', count(), [5, null, 7, [5]], [1, 2, 3, 2]],
    ['sum', sum(self), [5, null, -7, [5]], [5, 5, -2, -7]],
    ['sum of bigints', sum(exact), [5n, 2n ** 60n, [2n ** 60n], [5n]], [5, 2n ** 60n + 5n, 5, 0]],
    ['sum of large floats', sum(self), [1e300, 1e300, 0.5], [1e300, 2e300, 2e300]],
    ['mean', mean(self), [null, 4, 1, [4], [1]], [null, 4, 2.5, 1, null]],
    ['min', min(self), [null, 4, 7, 1], [null, 4, 4, 1]],
    ['max', max(self), [null, 4, 7, 1], [null, 4, 7, 7]],
    ['first', first(self), [null, 4, null, 7], [null, 4, 4, 4]],
    ['last', last(self), [null, 4, null, 7], [null, 4, 4, 7]],
    ['last of objects', last(boxed), [1, 2, 9], [BOXES[0], BOXES[1], BOXES[1]]],
    ['variance', variance(self), [4, null, 8, 6, [6], [8], [4]], [null, null, 8, 4, 8, null, null]],
    ['variance of a population', variance(self, { of: 'population' }), [4, 8, [4]], [0, 4, 0]],
    ['topK', topK(2, self), [3, null, 1, 5, 4, 5], [[3], [3], [3, 1], [5, 3], [5, 4], [5, 5]]],
    ['topK of others', topK(2, self, text), [1, 3, 1, 2], [['v1'], ['v3', 'v1'], ['v3', 'v1'], ['v3', 'v2']]],
    ['collect', collect(2, self), [1, null, 2, 3], [[1], [1], [1, 2], [1, 2]]],
    ['collect the last', collect(2, self, { whenFull: 'keep-last' }), [1, 2, 3], [[1], [1, 2], [2, 3]]],
    ['distinctCount', distinctCount(mixed), [1, '1', 1n, true, 'true', null, 1, [1], [1]], [1, 2, 3, 4, 5, 5, 5, 5, 4]],
    ['distinctCount of odd texts', distinctCount(text), ['__proto__', 'a', ['__proto__']], [1, 2, 1]],
    ['approxDistinctCount of few', approxDistinctCount(mixed), [1, '1', 1n, true, 1, null], [1, 2, 3, 4, 4, 4]],
    ['approxQuantiles without numbers', approxQuantiles(self, { median: 0.5 }), [null, null], [null, null]],
  ])('%s', (_, spec, values, expected) => expect(shown(spec, values)).toEqual(expected))

  it.each([
    [count(), 2, 3, 5],
    [sum(self), 2, 3, 5],
    [sum(exact), 2n ** 60n, 3, 2n ** 60n + 3n],
    [mean(self), { count: 1, sum: 2 }, { count: 2, sum: 5 }, { count: 3, sum: 7 }],
    [min(self), { value: null }, { value: 3 }, { value: 3 }],
    [max(self), { value: 4 }, { value: 3 }, { value: 4 }],
    [first(self), {}, { value: 3 }, { value: 3 }],
    [first(self), { value: 4 }, { value: 3 }, { value: 4 }],
    [last(self), { value: 4 }, { value: 3 }, { value: 3 }],
    [last(self), { value: 4 }, {}, { value: 4 }],
    [
      variance(self),
      { count: 0, mean: 0, squares: 0 },
      { count: 2, mean: 1, squares: 2 },
      { count: 2, mean: 1, squares: 2 },
    ],
    [
      variance(self),
      { count: 1, mean: 4, squares: 0 },
      { count: 1, mean: 8, squares: 0 },
      { count: 2, mean: 6, squares: 8 },
    ],
    [
      topK(2, self),
      [{ rank: 1, item: 1 }],
      [
        { rank: 2, item: 2 },
        { rank: 0, item: 0 },
      ],
      [
        { rank: 2, item: 2 },
        { rank: 1, item: 1 },
      ],
    ],
    [collect(3, self), [1, 2], [3, 4], [1, 2, 3]],
    [collect(3, self, { whenFull: 'keep-last' }), [1, 2], [3, 4], [2, 3, 4]],
    [distinctCount(mixed), { 1: 2, 2: 1 }, { 2: 3, 3: 1 }, { 1: 2, 2: 4, 3: 1 }],
    [approxDistinctCount(mixed, { error: 0.5 }), [1, 5, 9], [2, 5], [1, 2, 5, 9]],
    [approxDistinctCount(mixed, { error: 0.5 }), [1, 2, 3, 4, 5, 6], [0, 9], [0, 1, 2, 3, 4, 5]],
    [
      approxQuantiles(self, { median: 0.5 }),
      { zeros: 1, positive: [[1, 2]], negative: [] },
      {
        zeros: 2,
        positive: [
          [0, 1],
          [1, 1],
        ],
        negative: [[4, 1]],
      },
      {
        zeros: 3,
        positive: [
          [0, 1],
          [1, 3],
        ],
        negative: [[4, 1]],
      },
    ],
  ])('%# merges', (spec, one, two, expected) => expect((spec as Spec).merge?.(one, two, 'k')).toEqual(expected))

  it('change nothing that they were given', () => {
    const others = [first(self), last(self), variance(self), topK(1, self), collect(1, self), distinctCount(self)]
    const sketches = [approxDistinctCount(self), approxQuantiles(self, { median: 0.5 })]
    for (const spec of [mean(self), min(self), max(self), ...others, ...sketches] as unknown as Spec[]) {
      const state = Object.freeze(spec.init() as object)
      expect(() => spec.add(state, 5, 'k')).not.toThrow()
    }
  })

  it('see the key', () => {
    expect(
      shown(
        sum((_: unknown, key: string) => key.length),
        [0],
      ),
    ).toEqual([1])
  })

  it.each([
    [() => sum(self).add(Number.MAX_SAFE_INTEGER, 1, 'k'), /does not fit a JavaScript number/],
    [() => collect(1, self, { whenFull: 'fail' }).add([1], 2, 'k'), /more than 1 values were collected/],
    [() => sum((value: bigint | number) => value).add(2n ** 60n, 0.5, 'k'), /cannot take 0.5/],
  ])('%s is refused', (work, message) => {
    expect(work).toThrowError(expect.objectContaining({ code: 'BAD_DATA', message: expect.stringMatching(message) }))
  })
})

describe('numbers that are none', () => {
  const all: Readonly<Record<string, unknown>> = {
    sum: sum(self),
    'sum of bigints': sum((value: number | bigint) => value),
    mean: mean(self),
    min: min(self),
    max: max(self),
    first: first(self),
    last: last(self),
    variance: variance(self),
    topK: topK(1, self),
    'topK of others': topK(1, () => 1, self),
    collect: collect(9, self),
    distinctCount: distinctCount(self),
    approxDistinctCount: approxDistinctCount(self),
    approxQuantiles: approxQuantiles(self, { median: 0.5 }),
  }
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const cases = Object.entries(all).flatMap(([name, spec]) => numbers.map((number) => ({ name, number, spec })))

  it.each(cases)('$name refuses $number, by name', ({ name, number, spec }) => {
    const { init, add } = spec as Spec
    const message = `${name.split(' ')[0]} cannot take ${number}`
    expect(() => add(init(), number, 'k')).toThrowError(expect.objectContaining({ code: 'BAD_DATA', message }))
  })

  it.each(['sum', 'mean', 'min', 'max', 'variance', 'topK', 'approxQuantiles'])('%s refuses a text', (name) => {
    const { init, add } = all[name] as Spec
    const message = `${name} cannot take "NA"`
    expect(() => add(init(), 'NA', 'k')).toThrowError(expect.objectContaining({ code: 'BAD_DATA', message }))
  })

  it.each([
    ['sum', sum(self)],
    ['mean', mean(self)],
    ['variance', variance(self)],
  ])('no %s is infinite', (name, spec) => {
    const { init, add, merge } = spec as unknown as Spec
    const [large, other] = [Number.MAX_VALUE, name === 'variance' ? -Number.MAX_VALUE : Number.MAX_VALUE]
    const tooLarge = expect.objectContaining({
      code: 'BAD_DATA',
      message: `the numbers of a ${name} are too large together for a JavaScript number`,
    })
    expect(() => add(add(init(), large, 'k'), other, 'k')).toThrowError(tooLarge)
    expect(() => merge?.(add(init(), large, 'k'), add(init(), other, 'k'), 'k')).toThrowError(tooLarge)
  })
})

describe('approximate aggregates', () => {
  it('count many different values within their error, in any order, merged or not', () => {
    const spec = approxDistinctCount<number, string>((value) => `user ${value}`)
    for (const different of [100, 1000, 20_000]) {
      let whole = spec.init()
      const parts = [spec.init(), spec.init()] as [readonly number[], readonly number[]]
      for (let number = 0; number < different * 2; number++) {
        const value = (number * 7919) % different
        whole = spec.add(whole, value, 'k')
        const part = number % 2 === 0 ? 0 : 1
        parts[part] = spec.add(parts[part], value, 'k')
      }
      expect(spec.merge(...parts, 'k')).toEqual(whole)
      const counted = spec.result?.(whole, 'k') ?? 0
      expect(Math.abs(counted - different)).toBeLessThanOrEqual(different <= 1000 ? 0 : different * 0.09)
    }
  })

  it('find quantiles within their accuracy, whatever the sign, merged or not', () => {
    const spec = approxQuantiles<number, string, number, 'low' | 'median' | 'high'>(
      (value) => value,
      { low: 0.01, median: 0.5, high: 0.99 },
      { accuracy: 0.02 },
    )
    let whole = spec.init()
    const parts = [spec.init(), spec.init()] as [typeof whole, typeof whole]
    for (let number = 0; number < 2000; number++) {
      const value = ((number * 7919) % 2000) / 10 - 20
      whole = spec.add(whole, value, 'k')
      const part = number % 3 === 0 ? 0 : 1
      parts[part] = spec.add(parts[part], value, 'k')
    }
    expect(spec.merge(...parts, 'k')).toEqual(whole)
    const { low = 0, median = 0, high = 0 } = spec.result?.(whole, 'k') ?? {}
    expect(Math.abs(low - -18)).toBeLessThanOrEqual(18 * 0.02)
    expect(Math.abs(median - 80)).toBeLessThanOrEqual(80 * 0.02 + 0.1)
    expect(Math.abs(high - 178)).toBeLessThanOrEqual(178 * 0.02 + 0.1)
  })

  it.each([
    [() => approxDistinctCount(self, { error: 0.001 }), /cannot be off by 0.001$/],
    [() => approxQuantiles(self, { much: 1.5 }), /no quantile 1.5$/],
    [() => approxQuantiles(self, {}), /no quantile/],
    [() => approxQuantiles(self, { median: 0.5 }, { accuracy: 1 }), /cannot be off by 1$/],
    [() => topK(0, self), /topK cannot keep 0$/],
    [() => collect(1.5, self), /collect cannot keep 1.5$/],
  ])('%s is refused', (make, message) => {
    expect(make).toThrowError(expect.objectContaining({ code: 'JOB_INVALID', message: expect.stringMatching(message) }))
  })
})
