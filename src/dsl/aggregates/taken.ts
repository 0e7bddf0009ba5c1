import { json } from '../../serde/json/json.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import { takenValue } from './taken-number.ts'
import type { ValueOrNull } from './value-or-null.ts'

/** One value that was chosen of those that came; none at first. */
export interface Taken<X> {
  readonly value?: X
}

/** One of what `of` gives, in the order in which records come; null and undefined are left out. It has to be JSON. */
export function taken<V, K, X>(
  name: 'first' | 'last',
  of: (value: V, key: K) => X,
  choose: (before: Taken<X>, next: Taken<X>) => Taken<X>,
): MergeableSpec<K, V, Taken<X>, Taken<X>, ValueOrNull<X>> {
  const next = (before: Taken<X>, after: Taken<X>): Taken<X> => {
    if (after.value === null || after.value === undefined) return before
    return before.value === undefined ? after : choose(before, after)
  }
  return {
    format: `${name}@1`,
    init: () => ({}),
    add: (before, value, key) => next(before, { value: takenValue(name, of(value, key)) }),
    merge: next,
    result: ({ value = null }) => value as ValueOrNull<X>,
    serde: json<Taken<X>>({ bigints: true }),
  }
}
