import { afterPrefix } from '../../core/byte-prefix.ts'
import type { ByteString } from '../../core/bytes.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { Windowed } from '../../core/windowed.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { RowRange, StoreRow } from '../../ports/store-table.ts'
import type { Buffered } from '../../serde/buffered.ts'
import { foreignPrefix } from '../../serde/foreign-key/combined-key.ts'
import { decodeKey, encodeKey, type Serde } from '../../serde/serde.ts'
import type { Suppressed } from '../../serde/suppressed-serde.ts'
import { innerSerde } from '../../serde/windowed/windowed-serde.ts'
import type { Job } from '../../topology/job.ts'
import type { ForeignKeyLookupNode, Node, StoreRef } from '../../topology/nodes.ts'
import { storesOf } from '../../topology/stores-of.ts'
import { type StoredWindows, storedWindows } from './stored-window.ts'
import { storeIdentities } from './topology-stores.ts'

/** A row of a store as people read it. */
export interface StoreEntry {
  readonly key: unknown
  /** Window start, epoch ms; of windows and sessions only. In a history: from when the value was valid. */
  readonly start?: number
  /** Window end, epoch ms; exclusive but for sliding windows and sessions. In a history: up to when it was valid. */
  readonly end?: number
  /** What the table shows: of an aggregate, its result. Null for a delete in a history. */
  readonly value: unknown
  /** Epoch ms. */
  readonly timestamp: number
}

/** Which rows are wanted. Keys are decoded keys, as text where they come from a command line. */
export interface StoreQuery {
  /** Of a store with windows: all windows of the key, or with `{ key, start, end }`, where rows are kept by that, one. */
  readonly key?: unknown
  /** Keys whose bytes begin with those of this key. */
  readonly prefix?: unknown
  /** Window starts `[fromTime, toTime)`, epoch ms. */
  readonly fromTime?: number
  readonly toTime?: number
}

/** Which rows a query asks for. `is` is to be asked of rows that may be such. */
export interface RowMatcher {
  mayBe(key: ByteString, time: number): boolean
  is(row: StoreRow): boolean
}

/** Reads one store of a job: rows in the order of the file. Throws USAGE for a store that the job has not. */
export class StoreReader {
  readonly #node: Node
  readonly #store: StoreRef
  readonly #windows: StoredWindows | null
  /** Where the rows' own keys are windowed ones, the serde of the keys in these. */
  readonly #inner: Serde<unknown> | undefined
  readonly #file: Pick<StateFile, 'stores' | 'table'>
  readonly #job: Job

  constructor(file: Pick<StateFile, 'stores' | 'table'>, job: Job, name: string) {
    const named = (store: StoreRef) => store.name === name
    const node = job.topology.nodes.find((candidate) => storesOf(candidate).some(named))
    const store = node === undefined ? undefined : storesOf(node).find(named)
    if (node === undefined || store === undefined) {
      const names = storeIdentities(job.topology).map((identity) => identity.name)
      throw new TidemarkError('USAGE', `job ${job.name} has no store ${name}`, {
        hint: names.length === 0 ? 'The job keeps no state.' : `Its stores are: ${names.join(', ')}.`,
      })
    }
    this.#node = node
    this.#store = store
    this.#windows = storedWindows(node, store)
    this.#inner = this.#windows === null ? innerSerde(store.key) : undefined
    this.#file = file
    this.#job = job
  }

  /** The rows that the query asks for. */
  *entries(query: StoreQuery = {}): IterableIterator<StoreEntry> {
    const identity = storeIdentities(this.#job.topology).find(({ name }) => name === this.#store.name)
    if (identity === undefined || !this.#file.stores().some(({ name }) => name === identity.name)) return
    for (const row of this.#file.table(identity).scan(this.#range(query))) {
      const entry = this.entry(row)
      if ((entry.start === undefined || startsWithin(entry.start, query)) && this.#isOf(entry, query)) yield entry
    }
  }

  /** Tells of rows, whether they are stored or not, whether a query asks for them. */
  matcher(query: StoreQuery): RowMatcher {
    const { fromKey = '', toKey, fromTime = 0, toTime = Number.POSITIVE_INFINITY } = this.#range(query)
    return {
      mayBe: (key, time) => key >= fromKey && (toKey === undefined || key < toKey) && time >= fromTime && time < toTime,
      is: (row) => {
        const entry = this.entry(row)
        return (entry.start === undefined || startsWithin(entry.start, query)) && this.#isOf(entry, query)
      },
    }
  }

  /** The bytes that a row has for a decoded value. */
  encoded(value: unknown): Uint8Array {
    return this.#store.value.encode(value)
  }

  #range(query: StoreQuery): RowRange {
    const { key, prefix, fromTime, toTime } = query
    const times = this.#times(fromTime, toTime)
    if (key !== undefined && !this.#isForeignKey(key) && !this.#isInner(key)) {
      const bytes = this.#keyBytes(key)
      return { ...times, fromKey: bytes, toKey: `${bytes}\0` }
    }
    const start = prefix ?? key
    if (start === undefined) return times
    const bytes = this.#keyBytes(start)
    const toKey = afterPrefix(bytes)
    return { ...times, fromKey: bytes, ...(toKey === undefined ? {} : { toKey }) }
  }

  /** Where rows are ordered by the windows' starts these are the rows that are wanted, otherwise they are among these. */
  #times(fromTime: number | undefined, toTime: number | undefined): RowRange {
    if (this.#inner !== undefined) return {}
    const ordered = this.#windows === null || this.#windows.byStart
    return {
      ...(fromTime === undefined ? {} : { fromTime }),
      ...(toTime === undefined || !ordered ? {} : { toTime }),
    }
  }

  #keyBytes(key: unknown): ByteString {
    if (this.#inner !== undefined && this.#isInner(key)) return encodeKey(this.#inner, key)
    if (!this.#isForeignKey(key)) return encodeKey(this.#store.key, key)
    return foreignPrefix(encodeKey((this.#node as ForeignKeyLookupNode).key, key))
  }

  /** Subscriptions have combined keys; those of one foreign key can be asked for by that alone. */
  #isForeignKey(key: unknown): boolean {
    return this.#node.kind === 'foreign-key-lookup' && !(typeof key === 'object' && key !== null && 'foreignKey' in key)
  }

  /** A key without its window, of a store whose rows have keys with theirs. */
  #isInner(key: unknown): boolean {
    return this.#inner !== undefined && !(typeof key === 'object' && key !== null && 'start' in key && 'end' in key)
  }

  /** False for what only begins like the key that is wanted. */
  #isOf({ key }: StoreEntry, query: StoreQuery): boolean {
    if (this.#inner === undefined || query.key === undefined || !this.#isInner(query.key)) return true
    return encodeKey(this.#inner, key) === encodeKey(this.#inner, query.key)
  }

  /** A row of the store as people read it. */
  entry(row: StoreRow): StoreEntry {
    const key = decodeKey(this.#store.key, row.key)
    const value = this.#result(this.decoded(row), key)
    const { timestamp } = row
    if (this.#inner !== undefined) return { ...(key as Windowed<unknown>), value, timestamp }
    return { key, ...this.#windows?.of(row), value, timestamp }
  }

  /** What the row holds: of an aggregate, its accumulator. */
  decoded({ value }: StoreRow): unknown {
    return this.#store.value.decode(value, 0, value.length)
  }

  #result(stored: unknown, key: unknown): unknown {
    if (this.#node.kind === 'suppress') return (stored as Suppressed).value
    if (this.#node.kind === 'stream-table-join') return (stored as Buffered<unknown>).value
    if (!('aggregate' in this.#node) || this.#node.aggregate.result === undefined) return stored
    return this.#node.aggregate.result(stored, key)
  }
}

function startsWithin(start: number, { fromTime = 0, toTime = Number.POSITIVE_INFINITY }: StoreQuery): boolean {
  return start >= fromTime && start < toTime
}
