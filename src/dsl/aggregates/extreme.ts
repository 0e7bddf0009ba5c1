import { json } from '../../serde/json/json.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import type { OrNull } from './or-null.ts'
import { takenNumber } from './taken-number.ts'

export interface ExtremeState {
  readonly value: number | null
}

/** The value for which no other is `better`; null where there is none. NaN and infinities are refused. */
export function extreme<V, K, X extends number | null | undefined>(
  name: 'min' | 'max',
  of: (value: V, key: K) => X,
  better: (one: number, two: number) => boolean,
): MergeableSpec<K, V, ExtremeState, ExtremeState, OrNull<X>> {
  const best = (one: ExtremeState, two: number | null): ExtremeState => {
    if (two === null) return one
    return one.value === null || better(two, one.value) ? { value: two } : one
  }
  return {
    format: `${name}@1`,
    init: () => ({ value: null }),
    add: (state, value, key) => best(state, takenNumber(name, of(value, key))),
    merge: (one, two) => best(one, two.value),
    result: ({ value }) => value as OrNull<X>,
    serde: json<ExtremeState>(),
  }
}
