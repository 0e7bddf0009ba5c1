import type { HistoryEvent, NumberedEvent, RunRow, RunStatus } from '../../ports/history.ts'
import type { Outbox, SliceCommit, StateFile, StoredCheckpoint, StoreIdentity } from '../../ports/state-file.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import { noStore, otherShape } from '../state-rules/store-refused.ts'
import type { Contents, MemoryFile } from './state-contents.ts'
import { MemoryRows } from './state-rows.ts'
import { MemoryStoreTable } from './state-store-table.ts'
import { MemoryTransaction } from './state-transaction.ts'

/** One handle on a file in memory. Runs and events go through JSON, as they do on disk. */
export class MemoryStateFile implements StateFile {
  readonly #transaction: MemoryTransaction
  readonly #readonly: boolean
  readonly #backUp: (path: string, contents: Contents) => void

  constructor(file: MemoryFile, readonly: boolean, backUp: (path: string, contents: Contents) => void) {
    this.#transaction = new MemoryTransaction(file, readonly)
    this.#readonly = readonly
    this.#backUp = backUp
  }

  checkpoint(): StoredCheckpoint | undefined {
    const { checkpoint } = this.#transaction.contents
    return checkpoint && checkpointOf(checkpoint)
  }

  outbox(): Outbox | undefined {
    const { outbox } = this.#transaction.contents
    return outbox && outboxOf(outbox)
  }

  table(identity: StoreIdentity): StoreTable {
    const { name, shape, format } = identity
    const { stores } = this.#transaction.contents
    const found = stores.get(name)
    if (found === undefined) {
      if (this.#readonly) throw noStore(name, this.stores())
      const made = { name, shape, format, rows: new MemoryRows(shape) }
      this.#transaction.within(() => this.#transaction.change({ stores: new Map(stores).set(name, made) }))
    } else if (found.shape !== shape) throw otherShape(found, shape)
    return new MemoryStoreTable(this.#transaction, name, shape)
  }

  stores(): readonly StoreIdentity[] {
    const stores = this.#transaction.contents.stores.values()
    return Array.from(stores, ({ name, shape, format }) => ({ name, shape, format }))
  }

  dropStore(name: string): void {
    const { stores } = this.#transaction.contents
    if (!stores.has(name)) return
    const left = new Map(stores)
    left.delete(name)
    this.#transaction.within(() => this.#transaction.change({ stores: left }))
  }

  begin(): void {
    this.#transaction.begin()
  }

  commit({ checkpoint, outbox, run, events }: SliceCommit): void {
    this.#transaction.commit(() => {
      this.#transaction.change({ checkpoint: checkpointOf(checkpoint), outbox: outboxOf(outbox) })
      this.#change(run, events)
    })
  }

  rollback(): void {
    this.#transaction.rollback()
  }

  dropOutbox(): void {
    this.#transaction.alone(() => this.#transaction.change({ outbox: undefined }))
  }

  putRun(run: RunRow): void {
    this.#transaction.alone(() => this.#change(run, []))
  }

  run(runId: string): RunRow | undefined {
    return throughJson(this.#transaction.contents.runs.get(runId))
  }

  runs(limit = Number.POSITIVE_INFINITY, status?: RunStatus): readonly RunRow[] {
    const newest = [...this.#transaction.contents.runs.values()].reverse()
    const wanted = newest.filter((run) => status === undefined || run.status === status)
    return throughJson(wanted.sort((left, right) => right.startedAt - left.startedAt).slice(0, limit))
  }

  pruneRuns(keep: number): void {
    const gone = new Set(
      this.runs()
        .slice(keep)
        .filter(({ status }) => status !== 'running')
        .map(({ runId }) => runId),
    )
    if (gone.size === 0) return
    const kept = [...this.#transaction.contents.runs].filter(([runId]) => !gone.has(runId))
    this.#transaction.alone(() => this.#transaction.change({ runs: new Map(kept) }))
  }

  putEvents(events: readonly HistoryEvent[]): void {
    this.#transaction.alone(() => this.#change(undefined, events))
  }

  events(after = 0, limit = Number.POSITIVE_INFINITY): readonly NumberedEvent[] {
    return throughJson(this.#transaction.contents.events.filter(({ number }) => number > after).slice(0, limit))
  }

  replaceEvents(events: readonly NumberedEvent[], gone: readonly number[]): void {
    const replaced = new Map(events.map((event) => [event.number, throughJson(event)]))
    const left = this.#transaction.contents.events.filter(({ number }) => !gone.includes(number))
    const changed = left.map((event) => replaced.get(event.number) ?? event)
    this.#transaction.alone(() => this.#transaction.change({ events: changed }))
  }

  truncateWal(): number {
    return 0
  }

  async backup(path: string): Promise<void> {
    if (this.#transaction.isOpen) throw new Error('a transaction on the state file is open')
    this.#backUp(path, this.#transaction.contents)
  }

  close(): void {
    this.#transaction.close()
  }

  #change(run: RunRow | undefined, events: readonly HistoryEvent[]): void {
    const before = this.#transaction.requireOpen()
    const { lastNumber } = before
    const numbered = events.map((event, index) => ({ ...throughJson(event), number: lastNumber + 1 + index }))
    const runs = run === undefined ? before.runs : new Map(before.runs).set(run.runId, throughJson(run))
    const all = [...before.events, ...numbered]
    this.#transaction.change({ runs, events: all, lastNumber: lastNumber + events.length })
  }
}

function checkpointOf({ token, bytes }: StoredCheckpoint): StoredCheckpoint {
  return { token: { ...token }, bytes: Uint8Array.from(bytes) }
}

function outboxOf({ token, endsRun, batches }: Outbox): Outbox {
  const copies = batches.map((batch) => ({ ...batch, bytes: Uint8Array.from(batch.bytes) }))
  return { token: { ...token }, endsRun, batches: copies }
}

function throughJson<T>(value: T): T {
  return value === undefined ? value : JSON.parse(JSON.stringify(value))
}
