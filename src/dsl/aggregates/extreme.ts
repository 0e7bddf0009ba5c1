import { json } from '../../serde/json/json.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import type { OrNull } from './or-null.ts'

export interface ExtremeState {
  readonly value: number | null
}

/** The value for which no other is `better`; null where there is none. Numbers that are NaN are left out. */
export function extreme<V, K, X extends number | null | undefined>(
  format: string,
  of: (value: V, key: K) => X,
  better: (one: number, two: number) => boolean,
): MergeableSpec<K, V, ExtremeState, ExtremeState, OrNull<X>> {
  const best = (one: ExtremeState, two: number | null | undefined): ExtremeState => {
    if (two === null || two === undefined || Number.isNaN(two)) return one
    return one.value === null || better(two, one.value) ? { value: two } : one
  }
  return {
    format,
    init: () => ({ value: null }),
    add: (state, value, key) => best(state, of(value, key)),
    merge: (one, two) => best(one, two.value),
    result: ({ value }) => value as OrNull<X>,
    serde: json<ExtremeState>(),
  }
}
