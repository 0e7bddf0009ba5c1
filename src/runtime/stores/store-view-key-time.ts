import type { ByteString } from '../../core/bytes.ts'
import type { StreamTime } from '../../operators/operator.ts'
import type { Entry, KeyTimeRow, KeyTimeState } from '../../operators/state.ts'
import type { BudgetedCache, CacheBudget } from './store-view-budget.ts'
import { ABSENT, NO_ROW } from './store-view-entry.ts'
import { KeyRows } from './store-view-key-rows.ts'
import { type Newest, Retention } from './store-view-retention.ts'
import { CachedRow } from './store-view-row.ts'
import type { StoreRows } from './store-view-rows.ts'
import { Timeline } from './store-view-timeline.ts'

const NO_ROWS: readonly KeyTimeRow[] = []

/**
 * The write-behind of one key-time store: for each key, all rows from some time on. Old rows are always clean. Rows are seen as
 * their retention says.
 */
export class KeyTimeCache implements BudgetedCache {
  readonly #rows: StoreRows
  readonly #retention: Retention
  readonly #budget: CacheBudget
  readonly #begin: () => void
  #young = new Map<ByteString, KeyRows>()
  #old = new Map<ByteString, KeyRows>()
  readonly #dirty = new Set<ByteString>()
  /** The first rows of each task by time, for scans. */
  readonly #timelines = new Map<number, Timeline>()
  readonly #timelineRows: number

  /** `retentionMs` is infinite where rows do not expire. About `timelineRows` of a task are held for scans. */
  constructor(rows: StoreRows, retentionMs: number, budget: CacheBudget, begin: () => void, timelineRows: number) {
    this.#rows = rows
    this.#retention = new Retention(retentionMs)
    this.#budget = budget
    this.#begin = begin
    this.#timelineRows = timelineRows
    budget.add(this)
  }

  view(task: number, newest: Newest): KeyTimeState {
    const own = this.#retention.meet(task, newest)
    return {
      get: (key, time, ordinal) => this.#get(key, time, ordinal, own, newest),
      put: (key, time, ordinal, value, timestamp) => this.#set(key, time, ordinal, value, timestamp, task, own),
      delete: (key, time, ordinal) => this.#set(key, time, ordinal, ABSENT, -1, task, own),
      range: (key, fromTime, toTime) => this.#range(key, fromTime, toTime, own, newest),
      scan: (fromTime, toTime) => this.#scan(fromTime, toTime, task, own),
      latestTime: () => own.value,
    }
  }

  writeOut(): void {
    if (this.#dirty.size === 0) return
    this.#begin()
    for (const key of [...this.#dirty].sort()) {
      const held = this.#young.get(key)
      if (held === undefined) continue
      for (const row of held.rows) {
        if (row.dirty) this.#rows.write(key, row.time, row, this.#retention.isGone(row.time, row.task), row.ordinal)
      }
      held.sweep()
    }
    this.#rows.finish()
    this.#dirty.clear()
  }

  /** Removes rows that retention has passed. To be called after `writeOut`, at the end of a slice. */
  expire(): void {
    this.#retention.expire(this.#rows, this.#begin)
  }

  rotate(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  clear(): void {
    this.#old = new Map()
    this.#young = new Map()
    this.#dirty.clear()
    this.#timelines.clear()
    this.#retention.clear()
  }

  #get(key: ByteString, time: number, ordinal: number, own: StreamTime, newest: Newest): Entry | undefined {
    if (!this.#retention.sees(time, own)) return undefined
    const row = this.#held(key, time).get(time, ordinal)
    this.#budget.settle()
    return row !== undefined && row.value !== ABSENT && this.#retention.lives(time, row.task, newest) ? row : undefined
  }

  #range(key: ByteString, fromTime: number, toTime: number, own: StreamTime, newest: Newest): readonly KeyTimeRow[] {
    const from = Math.max(fromTime, this.#retention.firstSeen(own))
    if (from >= toTime) return NO_ROWS
    const held = this.#held(key, from)
    const { rows } = held
    const end = toTime === Number.POSITIVE_INFINITY ? rows.length : held.placeOf(toTime, Number.NEGATIVE_INFINITY)
    let found: KeyTimeRow[] | undefined
    for (let at = held.placeOf(from, Number.NEGATIVE_INFINITY); at < end; at++) {
      const row = rows[at] as CachedRow
      if (row.value === ABSENT || !this.#retention.lives(row.time, row.task, newest)) continue
      if (found === undefined) found = [row]
      else found.push(row)
    }
    this.#budget.settle()
    return found ?? NO_ROWS
  }

  #set(
    key: ByteString,
    time: number,
    ordinal: number,
    value: unknown,
    timestamp: number,
    task: number,
    own: StreamTime,
  ): void {
    own.advance(time)
    if (!this.#retention.sees(time, own)) return
    const held = this.#held(key, time)
    let row = held.get(time, ordinal)
    if (row === undefined) {
      if (value === ABSENT) return
      row = new CachedRow(key, time, ordinal, value, timestamp, task, NO_ROW)
      held.add(row)
      this.#budget.entered()
    } else {
      if (value === ABSENT || row.task !== task) this.#timelines.get(row.task)?.delete(row)
      row.value = value
      row.timestamp = timestamp
      row.task = task
    }
    if (value !== ABSENT) this.#inTime(task, row)
    row.dirty = true
    this.#dirty.add(key)
    this.#budget.settle()
  }

  *#scan(fromTime: number, toTime: number, task: number, own: StreamTime): IterableIterator<KeyTimeRow> {
    const oldest = this.#retention.firstSeen(own)
    const from = Math.max(fromTime, oldest)
    if (from >= toTime) return
    const timeline = this.#timelineOf(task)
    timeline.dropBefore(oldest)
    if (from < timeline.begin || from > timeline.end) timeline.restart(from)
    for (let place = timeline.placeOf(from); ; ) {
      for (let row = timeline.at(place); row !== undefined && row.time < toTime; row = timeline.at(place)) {
        yield row
        place = timeline.at(place) === row ? place + 1 : timeline.placeBehind(row)
      }
      if (toTime <= timeline.end) return
      if (timeline.size >= this.#timelineRows) {
        timeline.dropBefore(from)
        place = timeline.placeOf(timeline.end)
      }
      if (timeline.size >= this.#timelineRows || !this.#extend(timeline, task)) break
    }
    this.writeOut()
    for (const row of this.#stored(timeline.end, toTime, task)) yield row
  }

  /** Holds the next rows behind a timeline; false where too many have one time. */
  #extend(timeline: Timeline, task: number): boolean {
    this.writeOut()
    const rows: KeyTimeRow[] = []
    for (const row of this.#stored(timeline.end, Number.POSITIVE_INFINITY, task)) {
      rows.push(row)
      if (rows.length > this.#timelineRows) break
    }
    const more = rows.length > this.#timelineRows
    const end = more ? (rows.at(-1)?.time ?? timeline.end) : Number.POSITIVE_INFINITY
    if (end <= timeline.end) return false
    timeline.append(rows, end)
    return true
  }

  *#stored(fromTime: number, toTime: number, task: number): IterableIterator<KeyTimeRow> {
    const to = toTime === Number.POSITIVE_INFINITY ? {} : { toTime }
    for (const row of this.#rows.table.scan({ fromTime, ...to, task, order: 'time' })) {
      const { key, time, ordinal, timestamp } = row
      yield { key, time, ordinal, value: this.#rows.decode(row), timestamp }
    }
  }

  #timelineOf(task: number): Timeline {
    let timeline = this.#timelines.get(task)
    if (timeline === undefined) {
      timeline = new Timeline()
      this.#timelines.set(task, timeline)
    }
    return timeline
  }

  #inTime(task: number, row: CachedRow): void {
    const timeline = this.#timelines.get(task)
    if (timeline === undefined || !timeline.covers(row.time)) return
    timeline.set(row)
    if (timeline.size > 2 * this.#timelineRows) timeline.limit(this.#timelineRows)
  }

  /** The rows of a key, with all from `from` on. */
  #held(key: ByteString, from: number): KeyRows {
    let held = this.#young.get(key)
    if (held === undefined) {
      held = this.#old.get(key) ?? new KeyRows()
      this.#old.delete(key)
      held.trim(from)
      this.#young.set(key, held)
      for (let rows = -1; rows < held.rows.length; rows++) this.#budget.entered()
    }
    if (from < held.from) this.#load(key, held, from)
    return held
  }

  #load(key: ByteString, held: KeyRows, from: number): void {
    const to = held.from === Number.POSITIVE_INFINITY ? {} : { toTime: held.from }
    const loaded: CachedRow[] = []
    for (const row of this.#rows.table.scan({ fromKey: key, toKey: `${key}\0`, fromTime: from, ...to })) {
      const { time, ordinal, timestamp, task } = row
      loaded.push(new CachedRow(key, time, ordinal, this.#rows.decode(row), timestamp, task, task))
      this.#budget.entered()
    }
    held.rows = loaded.length === 0 ? held.rows : loaded.concat(held.rows)
    held.from = from
  }
}
