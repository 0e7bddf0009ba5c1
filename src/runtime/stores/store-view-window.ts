import type { ByteString } from '../../core/bytes.ts'
import type { StreamTime } from '../../operators/operator.ts'
import type { Entry, WindowRow, WindowState } from '../../operators/state.ts'
import type { BudgetedCache, CacheBudget } from './store-view-budget.ts'
import { ABSENT, CachedEntry, ROW_UNKNOWN } from './store-view-entry.ts'
import { type Newest, Retention } from './store-view-retention.ts'
import type { StoreRows } from './store-view-rows.ts'

type Windows = Map<number, Map<ByteString, CachedEntry>>

/**
 * The write-behind of one window store. Old entries are always clean. Rows are seen as their retention says, by their starts.
 */
export class WindowCache implements BudgetedCache {
  readonly #rows: StoreRows
  readonly #retention: Retention
  readonly #budget: CacheBudget
  readonly #begin: () => void
  #young: Windows = new Map()
  #old: Windows = new Map()
  #dirty = 0
  /** What was found last, in the young half: a step that gets a row puts it next. */
  #lastKey: ByteString | undefined
  #lastStart = -1
  #lastEntry: CachedEntry | undefined

  constructor(rows: StoreRows, retentionMs: number, budget: CacheBudget, begin: () => void) {
    this.#rows = rows
    this.#retention = new Retention(retentionMs)
    this.#budget = budget
    this.#begin = begin
    budget.add(this)
  }

  view(task: number, newest: Newest): WindowState {
    const own = this.#retention.meet(task, newest)
    return {
      get: (key, start) => this.#get(key, start, own, newest),
      put: (key, start, value, timestamp) => this.#set(key, start, value, timestamp, task, own),
      delete: (key, start) => this.#set(key, start, ABSENT, -1, task, own),
      scan: (fromStart, toStart) => this.#scan(fromStart, toStart, task, own),
      latestStart: () => own.value,
    }
  }

  writeOut(): void {
    if (this.#dirty === 0) return
    this.#begin()
    for (const start of [...this.#young.keys()].sort((left, right) => left - right)) this.#writeWindow(start)
    this.#rows.finish()
    this.#dirty = 0
  }

  /** Removes rows that retention has passed. To be called after `writeOut`, at the end of a slice. */
  expire(): void {
    this.#retention.expire(this.#rows, this.#begin)
  }

  rotate(): void {
    this.#lastKey = undefined
    this.#old = this.#young
    this.#young = new Map()
  }

  clear(): void {
    this.#lastKey = undefined
    this.#old = new Map()
    this.#young = new Map()
    this.#dirty = 0
    this.#retention.clear()
  }

  #get(key: ByteString, start: number, own: StreamTime, newest: Newest): Entry | undefined {
    if (!this.#retention.sees(start, own)) return undefined
    let entry = this.#find(key, start)
    if (entry === undefined) {
      entry = this.#rows.load(key, start)
      this.#enter(key, start, entry)
    }
    this.#budget.settle()
    return entry.value !== ABSENT && this.#retention.lives(start, entry.task, newest) ? entry : undefined
  }

  #set(key: ByteString, start: number, value: unknown, timestamp: number, task: number, own: StreamTime): void {
    own.advance(start)
    if (!this.#retention.sees(start, own)) return
    let entry = this.#find(key, start)
    if (entry === undefined) {
      entry = new CachedEntry(value, timestamp, task, ROW_UNKNOWN)
      this.#enter(key, start, entry)
    } else {
      entry.value = value
      entry.timestamp = timestamp
      entry.task = task
    }
    if (!entry.dirty) {
      entry.dirty = true
      this.#dirty++
    }
    this.#budget.settle()
  }

  *#scan(fromStart: number, toStart: number, task: number, own: StreamTime): IterableIterator<WindowRow> {
    this.writeOut()
    const fromTime = Math.max(fromStart, this.#retention.firstSeen(own))
    if (fromTime >= toStart) return
    for (const row of this.#rows.table.scan({ fromTime, toTime: toStart, task, order: 'time' })) {
      yield { key: row.key, start: row.time, value: this.#rows.decode(row), timestamp: row.timestamp }
    }
  }

  #writeWindow(start: number): void {
    const window = this.#young.get(start)
    if (window === undefined) return
    const dirty: ByteString[] = []
    for (const [key, entry] of window) if (entry.dirty) dirty.push(key)
    for (const key of dirty.sort()) {
      const entry = window.get(key)
      if (entry !== undefined) this.#rows.write(key, start, entry, this.#retention.isGone(start, entry.task))
    }
  }

  #find(key: ByteString, start: number): CachedEntry | undefined {
    if (key === this.#lastKey && start === this.#lastStart) return this.#lastEntry
    const young = this.#young.get(start)?.get(key)
    if (young !== undefined) {
      this.#remember(key, start, young)
      return young
    }
    const window = this.#old.get(start)
    const old = window?.get(key)
    if (old !== undefined) {
      window?.delete(key)
      this.#enter(key, start, old)
    }
    return old
  }

  #enter(key: ByteString, start: number, entry: CachedEntry): void {
    let window = this.#young.get(start)
    if (window === undefined) {
      window = new Map()
      this.#young.set(start, window)
    }
    window.set(key, entry)
    this.#remember(key, start, entry)
    this.#budget.entered()
  }

  #remember(key: ByteString, start: number, entry: CachedEntry): void {
    this.#lastKey = key
    this.#lastStart = start
    this.#lastEntry = entry
  }
}
