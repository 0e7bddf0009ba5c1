import type { ByteString } from '../../core/bytes.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import type { Topology } from '../../topology/topology.ts'
import { TableFold } from '../changelogs/table-fold.ts'
import { keptStore } from './kept-store.ts'
import { ownedSinks } from './owned-sinks.ts'

/** Updates that are held before they are written, bytes. */
const HELD_BYTES = 4 * 1024 * 1024

interface KeptSink {
  readonly fold: TableFold
  readonly table: StoreTable
}

/**
 * What a generation that publishes nothing would have published to the table sinks that are the job's own: the latest value
 * of each key, beside its stores.
 */
export class KeptOutputs {
  readonly #file: Pick<StateFile, 'begin' | 'table'>
  readonly #sinks = new Map<number, KeptSink>()

  constructor(file: Pick<StateFile, 'begin' | 'table'>, topology: Topology) {
    this.#file = file
    for (const { id, topic } of ownedSinks(topology)) {
      this.#sinks.set(id, { fold: new TableFold(), table: file.table(keptStore(topic.name)) })
    }
  }

  /** Takes what a step emits; what does not come from a table sink of the job's own is dropped. */
  emit(node: number, task: number, key: ByteString | null, value: Uint8Array | null, timestamp: number): void {
    const sink = this.#sinks.get(node)
    if (sink === undefined || key === null) return
    sink.fold.put(key, value, timestamp, NO_HEADERS, task)
    if (sink.fold.bytes >= HELD_BYTES) this.flush()
  }

  /** Writes what is held into the file's open transaction, which is begun where it is not. */
  flush(): void {
    for (const { fold, table } of this.#sinks.values()) {
      fold.drain((key, { value, timestamp, task }) => {
        this.#file.begin()
        if (value === null) table.delete(key, 0, 0)
        else table.put({ key, time: 0, ordinal: 0, value, timestamp, task })
      })
    }
  }
}
