import type { Windowed } from '../../core/windowed.ts'
import { encodeKey } from '../../serde/serde.ts'
import type { StoreRef } from '../../topology/nodes.ts'
import type { SessionStore } from '../../topology/processor/stores.ts'
import type { TaskContext } from '../operator.ts'

/** Values by key and session, rows by (key, end, start) with the end as their time. */
export function sessionStore(store: StoreRef, context: TaskContext): SessionStore<unknown, unknown> {
  const state = context.keyTime(store.name)
  const bytesOf = (key: unknown) => encodeKey(store.key, key)

  function* find(
    key: unknown,
    earliestEnd: number,
    latestStart: number,
  ): Iterable<readonly [Windowed<unknown>, unknown]> {
    const found = state
      .range(bytesOf(key), earliestEnd, Number.POSITIVE_INFINITY)
      .filter(({ ordinal }) => ordinal <= latestStart)
      .map(({ time: end, ordinal: start, value }) => [{ key, start, end }, value] as const)
    yield* found
  }

  return {
    put({ key, start, end }, value) {
      if (value === null) state.delete(bytesOf(key), end, start)
      else state.put(bytesOf(key), end, start, value, end)
    },
    remove: ({ key, start, end }) => state.delete(bytesOf(key), end, start),
    fetchSession: (key, start, end) => state.get(bytesOf(key), end, start)?.value ?? null,
    fetch: (key) => find(key, 0, Number.POSITIVE_INFINITY),
    findSessions: find,
  }
}
