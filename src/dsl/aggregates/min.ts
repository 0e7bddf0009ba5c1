import type { MergeableSpec } from '../aggregate-spec.ts'
import { type ExtremeState, extreme } from './extreme.ts'
import type { OrNull } from './or-null.ts'

/**
 * The smallest of what `of` gives; null and undefined are left out, NaN and infinities are refused. It cannot
 * take back, so it is not for regrouped tables.
 */
export function min<V, K, X extends number | null | undefined>(
  of: (value: V, key: K) => X,
): MergeableSpec<K, V, ExtremeState, ExtremeState, OrNull<X>> {
  return extreme('min', of, (one, two) => one < two)
}
