import type { Windowed } from '../../core/windowed.ts'
import { decodeKey, encodeKey } from '../../serde/serde.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'
import type { TimestampedWindowStore, WindowStore } from '../../topology/processor/stores.ts'
import type { TaskContext } from '../operator.ts'
import { skipped } from '../skipped.ts'
import type { Entry } from '../state.ts'
import type { InHand } from './in-hand.ts'
import { stamped } from './key-value-store.ts'

/** Values by key and start; rows have the time of what the processor works on. */
export function windowStore(
  step: string,
  declared: ProcessStore,
  context: TaskContext,
  inHand: InHand,
): WindowStore<unknown, unknown> {
  const { put, ...reads } = windows(step, declared, context, ({ value }): unknown => value)
  return { ...reads, put: (key, value, start) => put(key, value, start, Math.max(0, inHand.timestamp)) }
}

/** Values with times of their own by key and start. */
export function timestampedWindowStore(
  step: string,
  declared: ProcessStore,
  context: TaskContext,
): TimestampedWindowStore<unknown, unknown> {
  return windows(step, declared, context, stamped)
}

function windows<V>(
  step: string,
  { store, windowMs = 0 }: ProcessStore,
  context: TaskContext,
  shown: (entry: Entry) => V,
) {
  const state = context.keyTime(store.name)
  const { retentionMs = Number.POSITIVE_INFINITY } = store
  const bytesOf = (key: unknown) => encodeKey(store.key, key)

  function fetch(key: unknown, start: number): V | null
  function fetch(key: unknown, from: number, to: number): Iterable<readonly [start: number, value: V]>
  function fetch(key: unknown, from: number, to?: number): unknown {
    if (to !== undefined) return fetchRange(key, from, to)
    const entry = state.get(bytesOf(key), from, 0)
    return entry === undefined ? null : shown(entry)
  }

  function* fetchRange(key: unknown, from: number, to: number): Iterable<readonly [number, V]> {
    // read at once: what is put meanwhile does not show, and does no harm
    const found = state.range(bytesOf(key), from, to + 1).map((row) => [row.time, shown(row)] as const)
    yield* found
  }

  function* fetchAll(from: number, to: number): Iterable<readonly [window: Windowed<unknown>, value: V]> {
    for (const row of state.scan(from, to + 1)) {
      const { key, time: start } = row
      yield [{ key: decodeKey(store.key, key), start, end: start + windowMs }, shown(row)]
    }
  }

  return {
    put(key: unknown, value: unknown, start: number, timestamp: number): void {
      if (start <= state.latestTime() - retentionMs) skipped(context, step, 'expired')
      else if (value === null) state.delete(bytesOf(key), start, 0)
      else state.put(bytesOf(key), start, 0, value, timestamp)
    },
    fetch,
    fetchAll,
    all: () => fetchAll(0, Number.MAX_SAFE_INTEGER - 1),
  }
}
