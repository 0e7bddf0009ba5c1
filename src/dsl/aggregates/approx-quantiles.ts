import { json } from '../../serde/json/json.ts'
import { invalidJob } from '../../topology/invalid-job.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import { whereOfCall } from '../where-of-call.ts'
import type { OrNull } from './or-null.ts'
import { NO_NUMBERS, QuantileSketch, type QuantileState } from './quantile-sketch.ts'
import { takenNumber } from './taken-number.ts'

export interface ApproxQuantilesOptions {
  /** How far a result may be off, relative to itself, from 0.0001 to 0.1. Default 0.01. */
  readonly accuracy?: number
}

/** Numbers by the names that the job gives them, as `{ median: 12, p99: 40 }`; null where there may be none at all. */
export type Quantiles<X, Name extends string> =
  OrNull<X> extends number ? { readonly [N in Name]: number } : { readonly [N in Name]: number } | null

/**
 * About the numbers below which certain parts of what `of` gives lie, as in `{ median: 0.5, p99: 0.99 }`; null and
 * undefined are left out, NaN and infinities are refused. It cannot take back, so it is not for regrouped tables.
 */
export function approxQuantiles<V, K, X extends number | null | undefined, Name extends string>(
  of: (value: V, key: K) => X,
  quantiles: { readonly [N in Name]: number },
  { accuracy = 0.01 }: ApproxQuantilesOptions = {},
): MergeableSpec<K, V, QuantileState, QuantileState, Quantiles<X, Name>> {
  const names = Object.keys(quantiles) as Name[]
  const parts = names.map((name) => quantiles[name])
  check(parts, accuracy)
  const sketch = new QuantileSketch(accuracy)
  return {
    format: `approx-quantiles@1(${accuracy})`,
    init: () => NO_NUMBERS,
    add(state, value, key) {
      const number = takenNumber('approxQuantiles', of(value, key))
      return number === null ? state : sketch.add(state, number)
    },
    merge: (one, two) => sketch.merge(one, two),
    result(state) {
      const numbers = sketch.quantiles(state, parts)
      if (numbers === null) return null as Quantiles<X, Name> // only where `of` may give none
      return Object.fromEntries(names.map((name, at) => [name, numbers[at]])) as Quantiles<X, Name>
    },
    serde: json<QuantileState>(),
  }
}

function check(parts: readonly number[], accuracy: number): void {
  const wrong = parts.find((part) => !(part >= 0 && part <= 1))
  if (wrong !== undefined || parts.length === 0) {
    throw invalidJob(whereOfCall(), `there is no quantile ${wrong}`, 'Name some from 0 to 1: { median: 0.5 }.')
  }
  if (accuracy >= 0.0001 && accuracy <= 0.1) return
  throw invalidJob(whereOfCall(), `quantiles cannot be off by ${accuracy}`, 'Give an accuracy from 0.0001 to 0.1.')
}
