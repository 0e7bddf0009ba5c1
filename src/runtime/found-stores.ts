import type { Checkpoint } from '../core/checkpoint.ts'
import type { StateFile, StoreIdentity } from '../ports/state-file.ts'

/** A store that a generation's file has. */
export interface FoundStore extends StoreIdentity {
  /** Null where the job had the store at its last commit; else how many rows an earlier version of the job has left. */
  readonly leftEntries: number | null
}

/** The stores of a file. Those that an attempt has made without a commit hold nothing: they are dropped. */
export function foundStores(file: StateFile, checkpoint: Checkpoint | null): readonly FoundStore[] {
  return file.stores().flatMap((store): readonly FoundStore[] => {
    if (checkpoint?.stores[store.name] !== undefined) return [{ ...store, leftEntries: null }]
    const leftEntries = file.table(store).size()
    if (leftEntries > 0) return [{ ...store, leftEntries }]
    file.dropStore(store.name)
    return []
  })
}
