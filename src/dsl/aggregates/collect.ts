import { badData } from '../../serde/bad-data.ts'
import { json } from '../../serde/json/json.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import { positiveCount } from './positive-count.ts'
import { takenValue } from './taken-number.ts'

export interface CollectOptions {
  /** What happens to more than the limit: the first ones stay (default), the last ones stay, or it is refused. */
  readonly whenFull?: 'keep-first' | 'keep-last' | 'fail'
}

/**
 * What `of` gives, in the order in which records come, `limit` at the most; null and undefined are left out. It has to be
 * JSON: NaN and infinities are refused. It cannot take back, so it is not for regrouped tables.
 */
export function collect<V, K, X>(
  limit: number,
  of: (value: V, key: K) => X,
  { whenFull = 'keep-first' }: CollectOptions = {},
): MergeableSpec<K, V, readonly NonNullable<X>[]> {
  const most = positiveCount(limit, 'collect')
  const joined = (one: readonly NonNullable<X>[], two: readonly NonNullable<X>[]): readonly NonNullable<X>[] => {
    if (two.length === 0 || (whenFull === 'keep-first' && one.length >= most)) return one
    const all = [...one, ...two]
    if (all.length <= most) return all
    if (whenFull === 'fail') throw tooMany(most)
    return whenFull === 'keep-first' ? all.slice(0, most) : all.slice(-most)
  }
  return {
    format: 'collect@1',
    init: () => [],
    add(list, value, key) {
      const next = takenValue('collect', of(value, key))
      return next === null || next === undefined ? list : joined(list, [next])
    },
    merge: joined,
    serde: json<readonly NonNullable<X>[]>({ bigints: true }),
  }
}

function tooMany(limit: number): Error {
  return badData(
    `more than ${limit} values were collected`,
    "Raise the limit, or keep some of them: collect(limit, of, { whenFull: 'keep-last' }).",
  )
}
