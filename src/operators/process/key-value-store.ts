import { decodeKey, encodeKey } from '../../serde/serde.ts'
import type { StoreRef } from '../../topology/nodes.ts'
import type { KeyValueStore, TimestampedKeyValueStore, ValueAndTimestamp } from '../../topology/processor/stores.ts'
import type { TaskContext } from '../operator.ts'
import type { Entry, KeyValueRow, KeyValueState } from '../state.ts'
import type { InHand } from './in-hand.ts'

/** Values by key; rows have the time of what the processor works on. */
export function keyValueStore(store: StoreRef, context: TaskContext, inHand: InHand): KeyValueStore<unknown, unknown> {
  const state = context.keyValue(store.name)
  const bytesOf = (key: unknown) => encodeKey(store.key, key)
  const get = (key: unknown) => state.get(bytesOf(key))?.value ?? null
  const put = (key: unknown, value: unknown) => {
    if (value === null) state.delete(bytesOf(key))
    else state.put(bytesOf(key), value, Math.max(0, inHand.timestamp))
  }
  const rows = rowsOf(store, state, (row) => row.value)
  return {
    get,
    put,
    putIfAbsent(key, value) {
      const before = get(key)
      if (before === null) put(key, value)
      return before
    },
    delete(key) {
      const before = get(key)
      if (before !== null) state.delete(bytesOf(key))
      return before
    },
    range: rows,
    all: () => rows(null, null),
  }
}

/** Values with times of their own by key. */
export function timestampedKeyValueStore(
  store: StoreRef,
  context: TaskContext,
): TimestampedKeyValueStore<unknown, unknown> {
  const state = context.keyValue(store.name)
  const bytesOf = (key: unknown) => encodeKey(store.key, key)
  const get = (key: unknown) => stampedOrNull(state.get(bytesOf(key)))
  const rows = rowsOf(store, state, stamped)
  return {
    get,
    put(key, value, timestamp) {
      if (value === null) state.delete(bytesOf(key))
      else state.put(bytesOf(key), value, timestamp)
    },
    delete(key) {
      const before = get(key)
      if (before !== null) state.delete(bytesOf(key))
      return before
    },
    range: rows,
    all: () => rows(null, null),
  }
}

/** A value with its time, apart from the entry that holds them for now. */
export function stamped({ value, timestamp }: Entry): ValueAndTimestamp<unknown> {
  return { value, timestamp }
}

export function stampedOrNull(entry: Entry | undefined): ValueAndTimestamp<unknown> | null {
  return entry === undefined ? null : stamped(entry)
}

function rowsOf<V>(store: StoreRef, state: KeyValueState, shown: (row: KeyValueRow) => V) {
  return function* (from: unknown, to: unknown): Iterable<readonly [unknown, V]> {
    const fromKey = from === null ? '' : encodeKey(store.key, from)
    const toKey = to === null ? undefined : `${encodeKey(store.key, to)}\0` // what comes after it
    for (const row of state.scan(fromKey, toKey)) yield [decodeKey(store.key, row.key), shown(row)]
  }
}
