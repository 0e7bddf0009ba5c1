import { createHash } from 'node:crypto'
import { invalidJob } from '../../topology/invalid-job.ts'
import type { MergeableSpec } from '../aggregate-spec.ts'
import { whereOfCall } from '../where-of-call.ts'
import { type Distinguishable, distinctText } from './distinct-count.ts'
import { hashesSerde } from './hashes-serde.ts'
import { takenValue } from './taken-number.ts'

export interface ApproxDistinctOptions {
  /** The relative standard error, from 0.005 to 0.5. Default 0.03: two of three counts are no further off. */
  readonly error?: number
}

const HASHES = 2 ** 48

/**
 * About how many different values `of` gives; null and undefined are left out, NaN and infinities
 * are refused. It keeps the smallest hashes only, `1 /
 * error²` of them, and is exact up to as many values. (A bottom-k or KMV sketch: Bar-Yossef et al., 2002.) It cannot take
 * back, so it is not for regrouped tables.
 */
export function approxDistinctCount<V, K>(
  of: (value: V, key: K) => Distinguishable | null | undefined,
  { error = 0.03 }: ApproxDistinctOptions = {},
): MergeableSpec<K, V, readonly number[], readonly number[], number> {
  if (!(error >= 0.005 && error <= 0.5)) {
    throw invalidJob(whereOfCall(), `a count cannot be off by ${error}`, 'Give an error from 0.005 to 0.5.')
  }
  const size = Math.ceil(1 / error ** 2) + 2
  return {
    format: `approx-distinct-count@1(${size})`,
    init: () => [],
    add(hashes, value, key) {
      const one = takenValue('approxDistinctCount', of(value, key))
      return one === null || one === undefined ? hashes : withHash(hashes, hashOf(distinctText(one)), size)
    },
    merge: (one, two) => two.reduce((all, hash) => withHash(all, hash, size), one),
    result: (hashes) => estimated(hashes, size),
    serde: hashesSerde(),
  }
}

/** 48 bits that are spread evenly. */
function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6)
}

/** The smallest `size` hashes, in order, with one more. */
function withHash(hashes: readonly number[], hash: number, size: number): readonly number[] {
  if (hashes.length === size && hash > (hashes[size - 1] ?? 0)) return hashes
  let low = 0
  let high = hashes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((hashes[middle] ?? 0) < hash) low = middle + 1
    else high = middle
  }
  if (hashes[low] === hash) return hashes
  const more = [...hashes.slice(0, low), hash, ...hashes.slice(low)]
  return more.length > size ? more.slice(0, size) : more
}

/** The `size`-th smallest of `n` even hashes lies at about `size / n` of all. */
function estimated(hashes: readonly number[], size: number): number {
  const greatest = hashes[size - 1]
  return greatest === undefined ? hashes.length : Math.round((size - 1) / ((greatest + 1) / HASHES))
}
