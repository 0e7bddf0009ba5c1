import type { ByteString } from '../core/bytes.ts'
import { TidemarkError } from '../core/errors.ts'
import type { StateFile } from '../ports/state-file.ts'
import type { RowRange, StoreRow } from '../ports/store-table.ts'
import { decodeKey, encodeKey } from '../serde/serde.ts'
import type { Job } from '../topology/job.ts'
import type { Node, StoreRef } from '../topology/nodes.ts'
import { storesOf } from '../topology/stores-of.ts'
import { type StoredWindow, storedWindows } from './stored-window.ts'
import { storeIdentities } from './topology-stores.ts'

/** A row of a store as people read it. */
export interface StoreEntry {
  readonly key: unknown
  /** Window start, epoch ms; window and session stores only. */
  readonly start?: number
  /** Window end, epoch ms; exclusive but for sliding windows and sessions. */
  readonly end?: number
  /** What the table shows: of an aggregate, its result. */
  readonly value: unknown
  /** Epoch ms. */
  readonly timestamp: number
}

/** Which rows are wanted. Keys are decoded keys, as text where they come from a command line. */
export interface StoreQuery {
  readonly key?: unknown
  /** Keys whose bytes begin with those of this key. */
  readonly prefix?: unknown
  /** Window starts `[fromTime, toTime)`, epoch ms. */
  readonly fromTime?: number
  readonly toTime?: number
}

/** Reads one store of a job: rows in the order of the file. Throws USAGE for a store that the job has not. */
export class StoreReader {
  readonly #node: Node
  readonly #store: StoreRef
  readonly #windowOf: ((row: StoreRow) => StoredWindow) | null
  readonly #file: StateFile
  readonly #job: Job

  constructor(file: StateFile, job: Job, name: string) {
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
    this.#windowOf = storedWindows(node, store)
    this.#file = file
    this.#job = job
  }

  /** The rows that the query asks for. */
  *entries(query: StoreQuery = {}): IterableIterator<StoreEntry> {
    const identity = storeIdentities(this.#job.topology).find(({ name }) => name === this.#store.name)
    if (identity === undefined || !this.#file.stores().some(({ name }) => name === identity.name)) return
    for (const row of this.#file.table(identity).scan(this.#range(query))) {
      const entry = this.#entry(row)
      if (entry.start === undefined || startsWithin(entry.start, query)) yield entry
    }
  }

  #range(query: StoreQuery): RowRange {
    const { key, prefix, fromTime, toTime } = query
    const times = this.#times(fromTime, toTime)
    if (key !== undefined) {
      const bytes = this.#keyBytes(key)
      return { ...times, fromKey: bytes, toKey: `${bytes}\0` }
    }
    if (prefix === undefined) return times
    const bytes = this.#keyBytes(prefix)
    const toKey = afterPrefix(bytes)
    return { ...times, fromKey: bytes, ...(toKey === undefined ? {} : { toKey }) }
  }

  /** Where rows are ordered by the windows' starts these are the rows that are wanted, otherwise they are among these. */
  #times(fromTime: number | undefined, toTime: number | undefined): RowRange {
    const ordered = this.#node.kind !== 'windowed-aggregate' || this.#node.windows.kind !== 'session'
    return {
      ...(fromTime === undefined ? {} : { fromTime }),
      ...(toTime === undefined || !ordered ? {} : { toTime }),
    }
  }

  #keyBytes(key: unknown): ByteString {
    return encodeKey(this.#store.key, key)
  }

  #entry(row: StoreRow): StoreEntry {
    const key = decodeKey(this.#store.key, row.key)
    const stored = this.#store.value.decode(row.value, 0, row.value.length)
    const value = this.#result(stored, key)
    return { key, ...this.#windowOf?.(row), value, timestamp: row.timestamp }
  }

  #result(stored: unknown, key: unknown): unknown {
    if (!('aggregate' in this.#node) || this.#node.aggregate.result === undefined) return stored
    return this.#node.aggregate.result(stored, key)
  }
}

function startsWithin(start: number, { fromTime = 0, toTime = Number.POSITIVE_INFINITY }: StoreQuery): boolean {
  return start >= fromTime && start < toTime
}

/** The first byte string that no longer begins with `prefix`; undefined where there is none. */
function afterPrefix(prefix: ByteString): ByteString | undefined {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix.charCodeAt(at)
    if (byte < 0xff) return prefix.slice(0, at) + String.fromCharCode(byte + 1)
  }
  return undefined
}
