import type { StateFile, StoreIdentity } from '../../ports/state-file.ts'

/** A store of the job cannot be called so: its name has no slash. */
const PREFIX = 'output/'

/** The store in which a generation that publishes nothing keeps the latest value of each key of an output topic. */
export function keptStore(topic: string): StoreIdentity {
  return { name: `${PREFIX}${topic}`, shape: 'key-value', format: 'bytes' }
}

/** True for a store that is not one of the job's. */
export function isKeptStore({ name }: Pick<StoreIdentity, 'name'>): boolean {
  return name.startsWith(PREFIX)
}

/** Removes what a generation has kept: it is live, and publishes. */
export function dropKeptStores(file: Pick<StateFile, 'stores' | 'dropStore'>): void {
  for (const store of file.stores().filter(isKeptStore)) file.dropStore(store.name)
}
