import { describe, expect, it } from 'vitest'
import { sameValue } from '../../../src/runtime/diff/same-value.ts'
import { EXACT, type Tolerance } from '../../../src/runtime/diff/tolerance.ts'

const tenth: Tolerance = { any: 0.1, fields: new Map() }
const mean: Tolerance = { any: 0, fields: new Map([['mean', 0.5]]) }
const nested: Tolerance = { any: 0, fields: new Map([['delay.mean', 0.5]]) }

describe('values of two rows', () => {
  it.each([
    [1, 1, EXACT],
    [Number.NaN, Number.NaN, EXACT],
    [1, 1.09, tenth],
    [10n, 10n, EXACT],
    [{ a: 1, b: [2, 3] }, { b: [2, 3], a: 1 }, EXACT],
    [new Map([['a', 1]]), new Map([['a', 1.05]]), tenth],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 2), EXACT],
    [new Date(5), new Date(5), EXACT],
    [{ mean: 1, count: 2 }, { mean: 1.4, count: 2 }, mean],
    [{ delay: { mean: 1 } }, { delay: { mean: 1.4 } }, mean],
    [{ delay: { mean: 1 } }, { delay: { mean: 1.4 } }, nested],
    [[{ mean: 1 }], [{ mean: 1.4 }], mean],
  ])('are the same (%#)', (left, right, tolerance) => {
    expect(sameValue(left, right, tolerance)).toBe(true)
  })

  it.each([
    [1, 1.2, tenth],
    [1, '1', EXACT],
    [10n, 11n, EXACT],
    [null, {}, EXACT],
    [{ a: 1 }, { a: 1, b: undefined }, EXACT],
    [{ a: undefined }, { b: undefined }, EXACT],
    [[1, 2], [1], EXACT],
    [[1], { 0: 1 }, EXACT],
    [new Set([1]), new Set([2]), EXACT],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 3), EXACT],
    [new Date(5), new Date(6), tenth],
    [{ mean: 1, count: 2 }, { mean: 1, count: 2.1 }, mean],
    [{ mean: 1 }, { mean: 1.4 }, nested],
  ])('are not the same (%#)', (left, right, tolerance) => {
    expect(sameValue(left, right, tolerance)).toBe(false)
  })
})
