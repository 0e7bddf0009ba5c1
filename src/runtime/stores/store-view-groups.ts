import type { ByteString } from '../../core/bytes.ts'
import type { CacheBudget } from './store-view-budget.ts'

/** A group with more rows than this is read from the file each time. */
export const MOST_KEYS = 256

/**
 * The keys of small groups of a key-value store, in order, as far as they are known: all of a group, or none. So what is
 * asked for again and again need not be asked of the file. Bounded by the budget, like the entries.
 */
export class KeyGroups {
  readonly #budget: CacheBudget
  #young = new Map<ByteString, ByteString[]>()
  #old = new Map<ByteString, ByteString[]>()

  constructor(budget: CacheBudget) {
    this.#budget = budget
  }

  /** The keys of a group, or undefined where they are not known. Good until the next write. */
  keysOf(group: ByteString): readonly ByteString[] | undefined {
    const young = this.#young.get(group)
    if (young !== undefined) return young
    const old = this.#old.get(group)
    if (old === undefined) return undefined
    this.#old.delete(group)
    this.#enter(group, old)
    return old
  }

  /** These are all the keys of a group, in order. Forgotten where they are many. */
  learn(group: ByteString, keys: ByteString[]): void {
    if (keys.length <= MOST_KEYS) this.#enter(group, keys)
  }

  /** There is a row of this key now. */
  add(group: ByteString, key: ByteString): void {
    const keys = this.#find(group)
    if (keys === undefined) return
    const place = placeOf(keys, key)
    if (keys[place] === key) return
    keys.splice(place, 0, key)
    if (keys.length > MOST_KEYS) this.#forget(group)
  }

  /** There is no row of this key any more. */
  remove(group: ByteString, key: ByteString): void {
    const keys = this.#find(group)
    if (keys === undefined) return
    const place = placeOf(keys, key)
    if (keys[place] === key) keys.splice(place, 1)
  }

  rotate(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  clear(): void {
    this.#old = new Map()
    this.#young = new Map()
  }

  #find(group: ByteString): ByteString[] | undefined {
    return this.#young.get(group) ?? this.#old.get(group)
  }

  #forget(group: ByteString): void {
    this.#young.delete(group)
    this.#old.delete(group)
  }

  #enter(group: ByteString, keys: ByteString[]): void {
    this.#young.set(group, keys)
    this.#budget.entered(1 + keys.length)
  }
}

/** The place of the first key at or past `key`. */
function placeOf(keys: readonly ByteString[], key: ByteString): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as ByteString) < key) low = middle + 1
    else high = middle
  }
  return low
}
