import type { Windowed } from '../../core/windowed.ts'

/**
 * The stores that a processor may declare, as it sees them in one task. Values are not to be changed once they are in a
 * store, nor those that come out of it. What iterates may go on while entries that it has given are changed or deleted.
 */
export interface KeyValueStore<K, V> {
  get(key: K): V | null
  /** Null deletes. */
  put(key: K, value: V | null): void
  /** Puts only where there is nothing; gives what was there. */
  putIfAbsent(key: K, value: V): V | null
  /** Gives what was there. */
  delete(key: K): V | null
  /** From `from` up to and with `to`, in the order of the keys' bytes. Null for no bound. */
  range(from: K | null, to: K | null): Iterable<readonly [key: K, value: V]>
  all(): Iterable<readonly [key: K, value: V]>
}

export interface ValueAndTimestamp<V> {
  readonly value: V
  /** Epoch ms. */
  readonly timestamp: number
}

export interface TimestampedKeyValueStore<K, V> {
  get(key: K): ValueAndTimestamp<V> | null
  /** Null deletes. */
  put(key: K, value: V | null, timestamp: number): void
  delete(key: K): ValueAndTimestamp<V> | null
  range(from: K | null, to: K | null): Iterable<readonly [key: K, entry: ValueAndTimestamp<V>]>
  all(): Iterable<readonly [key: K, entry: ValueAndTimestamp<V>]>
}

/** Values by key and the start of a window. Those older than the newest by the retention are neither kept nor seen. */
export interface WindowStore<K, V> {
  /** Null deletes. */
  put(key: K, value: V | null, start: number): void
  fetch(key: K, start: number): V | null
  /** Of one key, with starts from `from` up to and with `to`, by start. */
  fetch(key: K, from: number, to: number): Iterable<readonly [start: number, value: V]>
  /** Of all keys, by start, then key. */
  fetchAll(from: number, to: number): Iterable<readonly [window: Windowed<K>, value: V]>
  all(): Iterable<readonly [window: Windowed<K>, value: V]>
}

export interface TimestampedWindowStore<K, V> {
  put(key: K, value: V | null, start: number, timestamp: number): void
  fetch(key: K, start: number): ValueAndTimestamp<V> | null
  fetch(key: K, from: number, to: number): Iterable<readonly [start: number, entry: ValueAndTimestamp<V>]>
  fetchAll(from: number, to: number): Iterable<readonly [window: Windowed<K>, entry: ValueAndTimestamp<V>]>
  all(): Iterable<readonly [window: Windowed<K>, entry: ValueAndTimestamp<V>]>
}

/** Values by key and session `[start, end]`. Those that end before the newest by the retention are neither kept nor seen. */
export interface SessionStore<K, V> {
  /** Null deletes. */
  put(session: Windowed<K>, value: V | null): void
  remove(session: Windowed<K>): void
  fetchSession(key: K, start: number, end: number): V | null
  /** Of one key, by end, then start. */
  fetch(key: K): Iterable<readonly [session: Windowed<K>, value: V]>
  /** Of one key, those that end at `earliestEnd` or later and begin at `latestStart` or earlier. */
  findSessions(key: K, earliestEnd: number, latestStart: number): Iterable<readonly [session: Windowed<K>, value: V]>
}

/** Values by key and the time from which they are valid. Earlier ones are kept for the history's retention. */
export interface VersionedStore<K, V> {
  /** A value, or with null a delete, that is valid from `timestamp`. False where it is too old to be kept. */
  put(key: K, value: V | null, timestamp: number): boolean
  /** The latest value, or the one that was valid at `asOf`, with the time from which it was. */
  get(key: K, asOf?: number): ValueAndTimestamp<V> | null
}
