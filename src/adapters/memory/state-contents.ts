import type { NumberedEvent, RunRow } from '../../ports/history.ts'
import type { Outbox, StoredCheckpoint, StoreIdentity } from '../../ports/state-file.ts'
import type { MemoryRows } from './state-rows.ts'

export interface MemoryStore extends StoreIdentity {
  readonly rows: MemoryRows
}

/** All that a file holds, as a value: a transaction makes a new one and puts it in place of the old. */
export interface Contents {
  readonly checkpoint: StoredCheckpoint | undefined
  readonly outbox: Outbox | undefined
  readonly stores: ReadonlyMap<string, MemoryStore>
  /** In the order in which they were first written. */
  readonly runs: ReadonlyMap<string, RunRow>
  readonly events: readonly NumberedEvent[]
  /** The number that the last event got. */
  readonly lastNumber: number
}

export const EMPTY: Contents = {
  checkpoint: undefined,
  outbox: undefined,
  stores: new Map(),
  runs: new Map(),
  events: [],
  lastNumber: 0,
}

/** What stands for a file: it outlives the handles that are open on it. */
export class MemoryFile {
  contents: Contents = EMPTY
  /** The handle that has the transaction, if any. */
  writer: object | undefined
}
