import { unreachable } from '../core/errors.ts'
import type { Serde } from '../serde/serde.ts'
import type { StoreRef } from '../topology/nodes.ts'
import type { WindowSpec } from '../topology/windows.ts'

/** The windows that begin or end with a record reach a little further than spans say: the last of them must be seen too. */
const EDGE_MS = 3

/** The store of an aggregate over these windows. */
export function windowStoreRef(
  name: string,
  key: Serde<unknown>,
  value: Serde<unknown>,
  windows: WindowSpec,
): StoreRef {
  const { retentionMs } = windows
  switch (windows.kind) {
    case 'time': {
      const rows = `window ${windows.sizeMs} ms every ${windows.advanceMs} ms`
      return { name, key, value, retentionMs, shape: 'window', rows }
    }
    case 'calendar': {
      const rows = `${windows.unit} in ${windows.zone}`
      return { name, key, value, retentionMs, shape: 'window', rows }
    }
    case 'sliding': {
      const rows = `sliding window ${windows.differenceMs} ms`
      return { name, key, value, retentionMs: retentionMs + EDGE_MS, shape: 'key-time', rows }
    }
    case 'session': {
      const rows = `sessions with gaps of ${windows.gapMs} ms`
      return { name, key, value, retentionMs: retentionMs + EDGE_MS, shape: 'key-time', rows }
    }
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
