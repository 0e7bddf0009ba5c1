import { badData } from '../../serde/bad-data.ts'
import { json } from '../../serde/json/json.ts'
import type { ReadySpec } from '../aggregate-spec.ts'
import { heldNumber, takenNumber } from './taken-number.ts'

/** A sum of numbers is a number. One of bigints is exact: a bigint where it is outside the safe range. */
export type SumOf<X> = Extract<X, bigint> extends never ? number : number | bigint

/**
 * The sum of what `of` gives, from 0; null and undefined are left out, NaN and infinities are refused. Never rounds integers
 * silently: a sum of integers that leaves the safe range is refused, unless `of` gives bigints.
 */
export function sum<V, K, X extends number | bigint | null | undefined>(
  of: (value: V, key: K) => X,
): ReadySpec<K, V, SumOf<X>> {
  const taken = (value: V, key: K): number | bigint => {
    const number: number | bigint | null | undefined = of(value, key)
    return typeof number === 'bigint' ? number : (takenNumber('sum', number) ?? 0)
  }
  const plus = (one: number | bigint, two: number | bigint): SumOf<X> => exactSum(one, two) as SumOf<X>
  return {
    format: 'sum@1',
    init: () => 0 as SumOf<X>,
    add: (total, value, key) => plus(total, taken(value, key)),
    undo: (total, value, key) => plus(total, -taken(value, key)),
    merge: plus,
    serde: json<SumOf<X>>({ bigints: true }),
  }
}

function exactSum(one: number | bigint, two: number | bigint): number | bigint {
  if (typeof one === 'number' && typeof two === 'number') return sumOfNumbers(one, two)
  const total = integer(one) + integer(two)
  const number = Number(total)
  return Number.isSafeInteger(number) ? number : total
}

function sumOfNumbers(one: number, two: number): number {
  const total = one + two
  if (Number.isSafeInteger(total) || !Number.isSafeInteger(one) || !Number.isSafeInteger(two)) {
    return heldNumber('sum', total)
  }
  throw badData(
    `the sum of ${one} and ${two} does not fit a JavaScript number`,
    'Sum bigints: sum((value) => BigInt(…)).',
  )
}

function integer(value: number | bigint): bigint {
  if (typeof value === 'bigint' || Number.isInteger(value)) return BigInt(value)
  throw badData(`a sum of bigints cannot take ${value}`, 'Sum bigints alone, or numbers alone.')
}
