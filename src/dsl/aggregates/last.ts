import type { MergeableSpec } from '../aggregate-spec.ts'
import { type Taken, taken } from './taken.ts'
import type { ValueOrNull } from './value-or-null.ts'

/**
 * The last of what `of` gives, in the order in which records come; null and undefined are left out. It has to be JSON: NaN
 * and infinities are refused. It cannot take back, so it is not for regrouped tables.
 */
export function last<V, K, X>(of: (value: V, key: K) => X): MergeableSpec<K, V, Taken<X>, Taken<X>, ValueOrNull<X>> {
  return taken('last', of, (_, after) => after)
}
