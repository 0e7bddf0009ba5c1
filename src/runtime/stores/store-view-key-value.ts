import { afterPrefix } from '../../core/byte-prefix.ts'
import type { ByteString } from '../../core/bytes.ts'
import type { Entry, KeyValueRow, KeyValueState } from '../../operators/state.ts'
import type { RowRange } from '../../ports/store-table.ts'
import type { BudgetedCache, CacheBudget } from './store-view-budget.ts'
import { ABSENT, CachedEntry, ROW_UNKNOWN } from './store-view-entry.ts'
import { KeyGroups, MOST_KEYS } from './store-view-groups.ts'
import type { StoreRows } from './store-view-rows.ts'

/** The write-behind of one key-value store. Old entries are always clean. */
export class KeyValueCache implements BudgetedCache {
  readonly #rows: StoreRows
  readonly #budget: CacheBudget
  readonly #begin: () => void
  readonly #groupOf: ((key: ByteString) => ByteString) | undefined
  readonly #groups: KeyGroups
  #young = new Map<ByteString, CachedEntry>()
  #old = new Map<ByteString, CachedEntry>()
  /** Keys of dirty entries, each once. */
  #dirty: ByteString[] = []
  /** What was found last, in the young half: a step that gets a key puts it next. */
  #lastKey: ByteString | undefined
  #lastEntry: CachedEntry | undefined

  /** `begin` opens the transaction that writes go to, if it is not open. `groupOf` as the store says. */
  constructor(
    rows: StoreRows,
    budget: CacheBudget,
    begin: () => void,
    groupOf: ((key: ByteString) => ByteString) | undefined,
  ) {
    this.#rows = rows
    this.#budget = budget
    this.#begin = begin
    this.#groupOf = groupOf
    this.#groups = new KeyGroups(budget)
    budget.add(this)
  }

  view(task: number): KeyValueState {
    return {
      get: (key) => this.get(key),
      put: (key, value, timestamp) => this.set(key, value, timestamp, task),
      delete: (key) => this.set(key, ABSENT, -1, task),
      group: (group) => this.#group(group),
      scan: (from, to) => this.#rowsOf({ fromKey: from, ...(to === undefined ? {} : { toKey: to }), task }),
    }
  }

  get(key: ByteString): Entry | undefined {
    let entry = this.#find(key)
    if (entry === undefined) {
      entry = this.#rows.load(key, 0)
      this.#enter(key, entry)
    }
    this.#budget.settle()
    return entry.value === ABSENT ? undefined : entry
  }

  set(key: ByteString, value: unknown, timestamp: number, task: number): void {
    let entry = this.#find(key)
    if (entry === undefined) {
      entry = new CachedEntry(value, timestamp, task, ROW_UNKNOWN)
      this.#enter(key, entry)
    } else {
      entry.value = value
      entry.timestamp = timestamp
      entry.task = task
    }
    if (!entry.dirty) {
      entry.dirty = true
      this.#dirty.push(key)
    }
    if (this.#groupOf !== undefined) this.#regroup(this.#groupOf(key), key, value)
    this.#budget.settle()
  }

  #regroup(group: ByteString, key: ByteString, value: unknown): void {
    if (value === ABSENT) this.#groups.remove(group, key)
    else this.#groups.add(group, key)
  }

  *#group(group: ByteString): IterableIterator<KeyValueRow> {
    const known = this.#groups.keysOf(group)
    if (known === undefined) {
      yield* this.#unknownGroup(group)
      return
    }
    for (const key of known) {
      const entry = this.get(key)
      if (entry !== undefined) yield { key, value: entry.value, timestamp: entry.timestamp }
    }
  }

  *#unknownGroup(group: ByteString): IterableIterator<KeyValueRow> {
    const toKey = afterPrefix(group)
    const keys: ByteString[] = []
    this.writeOut()
    for (const row of this.#rows.table.scan({ fromKey: group, ...(toKey === undefined ? {} : { toKey }) })) {
      const { key, timestamp, task } = row
      const value = this.#rows.decode(row)
      if (keys.push(key) <= MOST_KEYS && this.#find(key) === undefined) {
        this.#enter(key, new CachedEntry(value, timestamp, task, task))
      }
      yield { key, value, timestamp }
    }
    this.#groups.learn(group, keys)
    this.#budget.settle()
  }

  *#rowsOf(range: RowRange): IterableIterator<KeyValueRow> {
    this.writeOut()
    for (const row of this.#rows.table.scan(range)) {
      yield { key: row.key, value: this.#rows.decode(row), timestamp: row.timestamp }
    }
  }

  writeOut(): void {
    if (this.#dirty.length === 0) return
    this.#begin()
    for (const key of this.#dirty.sort()) {
      const entry = this.#young.get(key)
      if (entry !== undefined) this.#rows.write(key, 0, entry)
    }
    this.#rows.finish()
    this.#dirty = []
  }

  rotate(): void {
    this.#groups.rotate()
    this.#lastKey = undefined
    this.#old = this.#young
    this.#young = new Map()
  }

  clear(): void {
    this.#groups.clear()
    this.#lastKey = undefined
    this.#old = new Map()
    this.#young = new Map()
    this.#dirty = []
  }

  #find(key: ByteString): CachedEntry | undefined {
    if (key === this.#lastKey) return this.#lastEntry
    const young = this.#young.get(key)
    if (young !== undefined) {
      this.#lastKey = key
      this.#lastEntry = young
      return young
    }
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.#enter(key, old)
    }
    return old
  }

  #enter(key: ByteString, entry: CachedEntry): void {
    this.#young.set(key, entry)
    this.#lastKey = key
    this.#lastEntry = entry
    this.#budget.entered()
  }
}
