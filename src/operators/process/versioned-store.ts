import { encodeKey } from '../../serde/serde.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'
import type { VersionedStore } from '../../topology/processor/stores.ts'
import type { TaskContext } from '../operator.ts'
import { Versions } from '../tables/versions.ts'
import { stampedOrNull } from './key-value-store.ts'

/** Values by key and the time from which they are valid. */
export function versionedStore(
  { store, history }: ProcessStore,
  context: TaskContext,
): VersionedStore<unknown, unknown> {
  if (history === undefined) throw new Error(`the versioned store ${store.name} has no history`)
  const versions = new Versions(context, store.name, store, history)
  const bytesOf = (key: unknown) => encodeKey(store.key, key)
  return {
    put: (key, value, timestamp) => versions.put(bytesOf(key), value, timestamp) !== 'expired',
    get: (key, asOf) =>
      stampedOrNull(asOf === undefined ? versions.latest(bytesOf(key)) : versions.asOf(bytesOf(key), asOf)),
  }
}
