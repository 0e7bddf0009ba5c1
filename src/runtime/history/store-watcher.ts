import { UNREAD } from '../../operators/operator.ts'
import type { Entry, KeyTimeState, KeyValueState, Stores, WindowState } from '../../operators/state.ts'
import type { StoreRow } from '../../ports/store-table.ts'
import type { PartitionInput } from '../input/partition-input.ts'
import type { RowMatcher, StoreEntry, StoreReader } from '../stores/store-reader.ts'
import type { StoreWatch } from '../stores/store-watch.ts'

/** The record during whose processing something was written. Times are epoch ms. */
export interface WritingRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  /** Event time. */
  readonly timestamp: number
  readonly key: unknown
  readonly value: unknown
}

/** One write to a row. */
export interface RowWrite {
  /** Null for what the end of a range made: windows that were closed, punctuations. */
  readonly record: WritingRecord | null
  /** The row before; null where there was none. */
  readonly before: StoreEntry | null
  /** The row after; null where it was removed. */
  readonly after: StoreEntry | null
}

type RowKey = Pick<StoreRow, 'key' | 'time' | 'ordinal' | 'task'>

/** Keeps the writes to some rows of one store, with the records that caused them. */
export class StoreWatcher implements StoreWatch {
  readonly #store: string
  readonly #reader: StoreReader
  readonly #wanted: readonly RowMatcher[]
  readonly #take: (write: RowWrite) => void
  #underWay: () => PartitionInput | null = () => null
  #seen: RowWrite[] = []

  /** `take` gets each write to the rows that one of `wanted` asks for, once it is committed. */
  constructor(store: string, reader: StoreReader, wanted: readonly RowMatcher[], take: (write: RowWrite) => void) {
    this.#store = store
    this.#reader = reader
    this.#wanted = wanted
    this.#take = take
  }

  stores(stores: Stores, underWay: () => PartitionInput | null): Stores {
    this.#underWay = underWay
    const mine = (name: string) => name === this.#store
    return {
      keyValue: (name, task) => this.#keyValue(stores.keyValue(name, task), task, mine(name)),
      window: (name, task, newest) => this.#window(stores.window(name, task, newest), task, mine(name)),
      keyTime: (name, task, newest) => this.#keyTime(stores.keyTime(name, task, newest), task, mine(name)),
    }
  }

  committed(): void {
    for (const write of this.#seen) this.#take(write)
    this.#seen = []
  }

  discarded(): void {
    this.#seen = []
  }

  #keyValue(state: KeyValueState, task: number, isMine: boolean): KeyValueState {
    if (!isMine) return state
    const row = (key: string): RowKey => ({ key, time: 0, ordinal: 0, task })
    return {
      ...state,
      put: (key, value, timestamp) => {
        this.#note(row(key), state.get(key), value, timestamp)
        state.put(key, value, timestamp)
      },
      delete: (key) => {
        this.#note(row(key), state.get(key), undefined, -1)
        state.delete(key)
      },
    }
  }

  #window(state: WindowState, task: number, isMine: boolean): WindowState {
    if (!isMine) return state
    const row = (key: string, time: number): RowKey => ({ key, time, ordinal: 0, task })
    return {
      ...state,
      put: (key, start, value, timestamp) => {
        this.#note(row(key, start), state.get(key, start), value, timestamp)
        state.put(key, start, value, timestamp)
      },
      delete: (key, start) => {
        this.#note(row(key, start), state.get(key, start), undefined, -1)
        state.delete(key, start)
      },
    }
  }

  #keyTime(state: KeyTimeState, task: number, isMine: boolean): KeyTimeState {
    if (!isMine) return state
    const row = (key: string, time: number, ordinal: number): RowKey => ({ key, time, ordinal, task })
    return {
      ...state,
      put: (key, time, ordinal, value, timestamp) => {
        this.#note(row(key, time, ordinal), state.get(key, time, ordinal), value, timestamp)
        state.put(key, time, ordinal, value, timestamp)
      },
      delete: (key, time, ordinal) => {
        this.#note(row(key, time, ordinal), state.get(key, time, ordinal), undefined, -1)
        state.delete(key, time, ordinal)
      },
    }
  }

  #note(key: RowKey, old: Entry | undefined, value: unknown, timestamp: number): void {
    const near = this.#wanted.filter((matcher) => matcher.mayBe(key.key, key.time))
    if (near.length === 0) return
    const before = old === undefined ? null : this.#row(key, old.value, old.timestamp)
    const after = value === undefined ? null : this.#row(key, value, timestamp)
    const row = after ?? before
    if (row === null || !near.some((matcher) => matcher.is(row))) return
    this.#seen.push({
      record: writing(this.#underWay()),
      before: before === null ? null : this.#reader.entry(before),
      after: after === null ? null : this.#reader.entry(after),
    })
  }

  #row(key: RowKey, value: unknown, timestamp: number): StoreRow {
    return { ...key, value: this.#reader.encoded(value), timestamp }
  }
}

/** What a step has not looked at is read here. */
function writing(input: PartitionInput | null): WritingRecord | null {
  if (input === null) return null
  const { topic, partition, offset, timestamp, rawKey, bytes, valueStart, valueEnd, source } = input
  const key = Buffer.from(rawKey ?? '', 'latin1')
  return {
    topic,
    partition,
    offset,
    timestamp,
    key: input.key === UNREAD ? source.topic.key.decode(key, 0, key.length) : input.key,
    value: input.value === UNREAD ? source.topic.value.decode(bytes, valueStart, valueEnd) : input.value,
  }
}
