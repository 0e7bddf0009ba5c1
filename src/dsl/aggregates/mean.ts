import { json } from '../../serde/json/json.ts'
import type { ReadySpec } from '../aggregate-spec.ts'
import type { OrNull } from './or-null.ts'
import { heldNumber, takenNumber } from './taken-number.ts'

export interface MeanState {
  readonly count: number
  readonly sum: number
}

/**
 * The mean of what `of` gives. Values for which it gives null or undefined are left out; without any, it is null. NaN and
 * infinities are refused.
 */
export function mean<V, K, X extends number | null | undefined>(
  of: (value: V, key: K) => X,
): ReadySpec<K, V, MeanState, MeanState, OrNull<X>> {
  const shifted = (state: MeanState, value: V, key: K, by: 1 | -1): MeanState => {
    const number = takenNumber('mean', of(value, key))
    if (number === null) return state
    return { count: state.count + by, sum: heldNumber('mean', state.sum + by * number) }
  }
  return {
    format: 'mean@1',
    init: () => ({ count: 0, sum: 0 }),
    add: (state, value, key) => shifted(state, value, key, 1),
    undo: (state, value, key) => shifted(state, value, key, -1),
    merge: (one, two) => ({ count: one.count + two.count, sum: heldNumber('mean', one.sum + two.sum) }),
    result: ({ count, sum }) => (count === 0 ? null : sum / count) as OrNull<X>,
    serde: json<MeanState>(),
  }
}
