import type { KeyTimeState, KeyValueState, Stores, WindowState } from '../../operators/state.ts'
import type { StateFile } from '../../ports/state-file.ts'
import { storesOf } from '../../topology/stores-of.ts'
import type { Topology } from '../../topology/topology.ts'
import { CacheBudget } from './store-view-budget.ts'
import { KeyTimeCache } from './store-view-key-time.ts'
import { KeyValueCache } from './store-view-key-value.ts'
import type { Newest } from './store-view-retention.ts'
import { StoreRows } from './store-view-rows.ts'
import { WindowCache } from './store-view-window.ts'
import { storeIdentities } from './topology-stores.ts'

/**
 * The write-behind: every store of a job, seen through a bounded cache of decoded entries. Writes stay in the cache until
 * `flush`, or until there are too many: then they go, sorted by primary key, into the file's open transaction, which is
 * begun where it is not. Values are encoded once, when they are written.
 */
export class StoreViews implements Stores {
  readonly #formats: Readonly<Record<string, string>>
  readonly #rows = new Map<string, StoreRows>()
  readonly #keyValue = new Map<string, KeyValueCache>()
  readonly #windows = new Map<string, WindowCache>()
  readonly #keyTime = new Map<string, KeyTimeCache>()
  readonly #budget: CacheBudget

  /** Opens the stores of `topology` in `file`, and makes those that it lacks. `cacheEntries` are held at the most, about. */
  constructor(file: Pick<StateFile, 'table' | 'begin'>, topology: Topology, cacheEntries: number) {
    this.#budget = new CacheBudget(cacheEntries)
    const identities = storeIdentities(topology)
    this.#formats = Object.fromEntries(identities.map(({ name, format }) => [name, format]))
    const stores = topology.nodes.flatMap(storesOf)
    const begin = () => file.begin()
    const timelineRows = Math.min(cacheEntries, TIMELINE_ROWS)
    for (const identity of identities) {
      const store = stores.find(({ name }) => name === identity.name)
      if (store === undefined) continue
      const rows = new StoreRows(file.table(identity), store.value)
      this.#rows.set(store.name, rows)
      const retentionMs = store.retentionMs ?? Number.POSITIVE_INFINITY
      if (identity.shape === 'key-value') {
        this.#keyValue.set(store.name, new KeyValueCache(rows, this.#budget, begin, store.groupOf))
      } else if (identity.shape === 'window') {
        this.#windows.set(store.name, new WindowCache(rows, retentionMs, this.#budget, begin))
      } else {
        this.#keyTime.set(store.name, new KeyTimeCache(rows, retentionMs, this.#budget, begin, timelineRows))
      }
    }
  }

  keyValue(store: string, task: number): KeyValueState {
    return named(this.#keyValue, store).view(task)
  }

  window(store: string, task: number, newest: Newest): WindowState {
    return named(this.#windows, store).view(task, newest)
  }

  keyTime(store: string, task: number, newest: Newest): KeyTimeState {
    return named(this.#keyTime, store).view(task, newest)
  }

  /** Writes everything into the file's open transaction, and removes what retention has passed. Before a commit. */
  flush(): void {
    this.#budget.writeOut()
    for (const cache of this.#windows.values()) cache.expire()
    for (const cache of this.#keyTime.values()) cache.expire()
  }

  /** The transaction is committed: what is held is what the file has. */
  committed(): void {
    for (const rows of this.#rows.values()) rows.forget()
  }

  /** The transaction was rolled back: nothing is held any more. What was made of these stores before is not to be used. */
  discard(): void {
    for (const cache of this.#keyValue.values()) cache.clear()
    for (const cache of this.#windows.values()) cache.clear()
    for (const cache of this.#keyTime.values()) cache.clear()
    for (const rows of this.#rows.values()) rows.discard()
    this.#budget.reset()
  }

  /** Rows that the slice under way has written under another task than before, as far as they are written out. */
  moved(): number {
    let moved = 0
    for (const rows of this.#rows.values()) moved += rows.moved
    return moved
  }

  /** Format of each store by name, as compared when the job opens. */
  formats(): Readonly<Record<string, string>> {
    return this.#formats
  }

  /**
   * The number of rows of every store, in the order of the topology; to be called after a flush. `before` says what they
   * were when the slice began: stores that it does not know are counted row by row.
   */
  sizes(before: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
    const sizes: Record<string, number> = {}
    for (const [name, rows] of this.#rows) {
      const known = before[name]
      sizes[name] = known === undefined ? rows.table.size() : known + rows.added
    }
    return sizes
  }
}

/** Rows of a task that are held for scans by time, about. */
const TIMELINE_ROWS = 1024

function named<T>(stores: ReadonlyMap<string, T>, name: string): T {
  const store = stores.get(name)
  if (store === undefined) throw new Error(`there is no store ${name} of this kind`)
  return store
}
