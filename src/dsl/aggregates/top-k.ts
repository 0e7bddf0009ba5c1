import { json } from '../../serde/json/json.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import { positiveCount } from './positive-count.ts'
import { takenNumber, takenValue } from './taken-number.ts'

/** An item with the number that it is ranked by. */
export interface Ranked<X> {
  readonly rank: number
  readonly item: X
}

/**
 * The `k` greatest of what `by` gives, greatest first; with `of`, what that gives for the same records in their place.
 * Null and undefined are left out, NaN and infinities are refused; of equal ones the earlier comes first. What `of` gives has
 * to be JSON. It cannot take back, so it is not for regrouped tables.
 */
export function topK<V, K>(
  k: number,
  by: (value: V, key: K) => number | null | undefined,
): MergeableSpec<K, V, readonly Ranked<number>[], readonly Ranked<number>[], readonly number[]>
export function topK<V, K, X>(
  k: number,
  by: (value: V, key: K) => number | null | undefined,
  of: (value: V, key: K) => X,
): MergeableSpec<K, V, readonly Ranked<X>[], readonly Ranked<X>[], readonly X[]>
export function topK<V, K>(
  k: number,
  by: (value: V, key: K) => number | null | undefined,
  of?: (value: V, key: K) => unknown,
  // biome-ignore lint/suspicious/noExplicitAny: the overloads say what it is
): MergeableSpec<K, V, any, any, any> {
  const limit = positiveCount(k, 'topK')
  return {
    format: 'top-k@1',
    init: () => [],
    add(ranked: readonly Ranked<unknown>[], value, key) {
      const rank = takenNumber('topK', by(value, key))
      if (rank === null) return ranked
      const least = ranked[limit - 1]
      if (least !== undefined && rank <= least.rank) return ranked
      return inOrder([...ranked, { rank, item: of === undefined ? rank : takenValue('topK', of(value, key)) }], limit)
    },
    merge: (one: readonly Ranked<unknown>[], two: readonly Ranked<unknown>[]) => inOrder([...one, ...two], limit),
    result: (ranked: readonly Ranked<unknown>[]) => ranked.map(({ item }) => item),
    serde: json<readonly Ranked<unknown>[]>({ bigints: true }),
  }
}

/** Sorting keeps the order of equal ones. */
function inOrder(ranked: Ranked<unknown>[], limit: number): readonly Ranked<unknown>[] {
  return ranked.sort((one, other) => other.rank - one.rank).slice(0, limit)
}
