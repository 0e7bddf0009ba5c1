import type { Duration } from '../../core/duration.ts'
import type { Serde } from '../../serde/serde.ts'
import { invalidJob } from '../../topology/invalid-job.ts'
import type {
  KeyValueStore,
  SessionStore,
  TimestampedKeyValueStore,
  TimestampedWindowStore,
  VersionedStore,
  WindowStore,
} from '../../topology/processor/stores.ts'
import { spanMs } from '../span.ts'
import { whereOfCall } from '../where-of-call.ts'
import type { StoreSpec } from './store-spec.ts'

export interface WindowStoreOptions {
  /** How long a window is; only those who read the store see it. */
  readonly size: Duration
  /** How long windows are kept, by their starts: at least their size. */
  readonly retention: Duration
}

/** Values by key. */
export function keyValueStore<K, V>(key: Serde<K>, value: Serde<V>): StoreSpec<KeyValueStore<K, V>> {
  return { kind: 'key-value', key, value }
}

/** Values by key, each with a time. */
export function timestampedKeyValueStore<K, V>(
  key: Serde<K>,
  value: Serde<V>,
): StoreSpec<TimestampedKeyValueStore<K, V>> {
  return { kind: 'timestamped-key-value', key, value }
}

/** Values by key and the start of a window; one for each. */
export function windowStore<K, V>(
  key: Serde<K>,
  value: Serde<V>,
  options: WindowStoreOptions,
): StoreSpec<WindowStore<K, V>> {
  return { kind: 'window', key, value, ...windowMeasures(options) }
}

/** Values by key and the start of a window, each with a time. */
export function timestampedWindowStore<K, V>(
  key: Serde<K>,
  value: Serde<V>,
  options: WindowStoreOptions,
): StoreSpec<TimestampedWindowStore<K, V>> {
  return { kind: 'timestamped-window', key, value, ...windowMeasures(options) }
}

/** Values by key and session. */
export function sessionStore<K, V>(
  key: Serde<K>,
  value: Serde<V>,
  { retention }: { readonly retention: Duration },
): StoreSpec<SessionStore<K, V>> {
  return { kind: 'session', key, value, retentionMs: spanMs(retention, 'retention') }
}

/** Values by key and the time from which they are valid. */
export function versionedStore<K, V>(
  key: Serde<K>,
  value: Serde<V>,
  { historyRetention }: { readonly historyRetention: Duration },
): StoreSpec<VersionedStore<K, V>> {
  return { kind: 'versioned', key, value, retentionMs: spanMs(historyRetention, 'historyRetention') }
}

function windowMeasures({ size, retention }: WindowStoreOptions): { windowMs: number; retentionMs: number } {
  const [windowMs, retentionMs] = [spanMs(size, 'size'), spanMs(retention, 'retention')]
  if (windowMs > 0 && retentionMs >= windowMs) return { windowMs, retentionMs }
  throw invalidJob(whereOfCall(), 'windows are longer than they are kept', 'Keep them for their size at least.')
}
