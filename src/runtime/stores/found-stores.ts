import type { Checkpoint } from '../../core/checkpoint.ts'
import type { StateFile, StoreIdentity } from '../../ports/state-file.ts'
import { isKeptStore } from '../switching/kept-store.ts'

/** A store that a generation's file has. */
export interface FoundStore extends StoreIdentity {
  /** Null where the job had the store at its last commit; else how many rows an earlier version of the job has left. */
  readonly leftEntries: number | null
}

/** The stores of a file. Those that an attempt has made without a commit hold nothing: they are dropped. */
export function foundStores(file: StateFile, checkpoint: Checkpoint | null): readonly FoundStore[] {
  const own = file.stores().filter((store) => !isKeptStore(store))
  return own.flatMap((store): readonly FoundStore[] => {
    if (checkpoint?.stores[store.name] !== undefined) return [{ ...store, leftEntries: null }]
    const leftEntries = file.table(store).size()
    if (leftEntries > 0) return [{ ...store, leftEntries }]
    file.dropStore(store.name)
    return []
  })
}
