import { json } from '../../serde/json/json.ts'
import type { ReadySpec } from '../aggregate-spec.ts'
import { heldNumber, takenNumber } from './taken-number.ts'

export interface VarianceState {
  readonly count: number
  readonly mean: number
  /** Sum of the squared distances from the mean. */
  readonly squares: number
}

export interface VarianceOptions {
  /** Of a sample (default): divided by one less than the count. Of a whole population: by the count. */
  readonly of?: 'sample' | 'population'
}

const NONE: VarianceState = Object.freeze({ count: 0, mean: 0, squares: 0 })

/**
 * The variance of what `of` gives; null and undefined are left out, NaN and infinities are refused. Null while there are too
 * few: fewer than two of a sample. Computed by Welford's method, and merged by Chan's, so that no precision is lost to large
 * means.
 */
export function variance<V, K>(
  of: (value: V, key: K) => number | null | undefined,
  { of: which = 'sample' }: VarianceOptions = {},
): ReadySpec<K, V, VarianceState, VarianceState, number | null> {
  const least = which === 'sample' ? 2 : 1
  const withNumber = (state: VarianceState, given: number | null | undefined, shift: typeof added): VarianceState => {
    const number = takenNumber('variance', given)
    return number === null ? state : shift(state, number)
  }
  return {
    format: 'variance@1',
    init: () => NONE,
    add: (state, value, key) => withNumber(state, of(value, key), added),
    undo: (state, value, key) => withNumber(state, of(value, key), removed),
    merge: merged,
    result: ({ count, squares }) => (count < least ? null : squares / (count - least + 1)),
    serde: json<VarianceState>(),
  }
}

function added({ count, mean, squares }: VarianceState, number: number): VarianceState {
  const distance = number - mean
  const newMean = mean + distance / (count + 1)
  return { count: count + 1, mean: newMean, squares: heldNumber('variance', squares + distance * (number - newMean)) }
}

function removed({ count, mean, squares }: VarianceState, number: number): VarianceState {
  if (count <= 1) return NONE
  const newMean = mean - (number - mean) / (count - 1)
  const left = squares - (number - mean) * (number - newMean)
  return { count: count - 1, mean: newMean, squares: Math.max(0, left) } // rounding must not leave less than nothing
}

function merged(one: VarianceState, two: VarianceState): VarianceState {
  const count = one.count + two.count
  if (count === 0) return NONE
  const distance = two.mean - one.mean
  return {
    count,
    mean: one.mean + (distance * two.count) / count,
    squares: heldNumber('variance', one.squares + two.squares + (distance * distance * one.count * two.count) / count),
  }
}
