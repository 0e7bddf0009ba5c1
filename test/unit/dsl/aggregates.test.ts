import { type AggregateSpec, count, max, mean, min, sum } from 'tidemark'
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

describe('ready aggregates', () => {
  it.each([
    ['count', count(), [5, null, 7, [5]], [1, 2, 3, 2]],
    ['sum', sum(self), [5, null, -7, [5]], [5, 5, -2, -7]],
    ['sum of bigints', sum(exact), [5n, 2n ** 60n, [2n ** 60n], [5n]], [5, 2n ** 60n + 5n, 5, 0]],
    ['sum of large floats', sum(self), [1e300, 1e300, 0.5], [1e300, 2e300, 2e300]],
    ['mean', mean(self), [null, 4, 1, [4], [1]], [null, 4, 2.5, 1, null]],
    ['min', min(self), [null, 4, 7, 1, Number.NaN], [null, 4, 4, 1, 1]],
    ['max', max(self), [null, 4, 7, 1, Number.NaN], [null, 4, 7, 7, 7]],
  ])('%s', (_, spec, values, expected) => expect(shown(spec, values)).toEqual(expected))

  it.each([
    [count(), 2, 3, 5],
    [sum(self), 2, 3, 5],
    [sum(exact), 2n ** 60n, 3, 2n ** 60n + 3n],
    [mean(self), { count: 1, sum: 2 }, { count: 2, sum: 5 }, { count: 3, sum: 7 }],
    [min(self), { value: null }, { value: 3 }, { value: 3 }],
    [max(self), { value: 4 }, { value: 3 }, { value: 4 }],
  ])('%# merges', (spec, one, two, expected) => expect((spec as Spec).merge?.(one, two, 'k')).toEqual(expected))

  it('change nothing that they were given', () => {
    for (const spec of [mean(self), min(self), max(self)] as unknown as Spec[]) {
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
    [() => sum((value: bigint | number) => value).add(2n ** 60n, 0.5, 'k'), /cannot take 0.5/],
  ])('%s is refused', (work, message) => {
    expect(work).toThrowError(expect.objectContaining({ code: 'BAD_DATA', message: expect.stringMatching(message) }))
  })
})
