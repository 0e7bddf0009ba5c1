import { afterPrefix } from '../../../src/core/byte-prefix.ts'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import type { StreamTime } from '../../../src/operators/operator.ts'
import type {
  Entry,
  KeyTimeRow,
  KeyTimeState,
  KeyValueRow,
  KeyValueState,
  Stores,
  WindowRow,
  WindowState,
} from '../../../src/operators/state.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { RowRange, StoreRow, StoreTable } from '../../../src/ports/store-table.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import type { Topology } from '../../../src/topology/topology.ts'

/** The stores without any cache: every call goes straight to the table, with JSON values. The twin to compare with. */
export class NaiveStores implements Stores {
  readonly #file: StateFile
  readonly #tables: ReadonlyMap<string, StoreTable>
  readonly #retentionMs: number

  constructor(file: StateFile, topology: Topology, retentionMs: number) {
    this.#file = file
    this.#retentionMs = retentionMs
    this.#tables = new Map(storeIdentities(topology).map((identity) => [identity.name, file.table(identity)]))
  }

  keyValue(store: string, task: number): KeyValueState {
    const table = this.#table(store)
    return {
      get: (key) => entryOf(table.get(key, 0, 0)),
      put: (key, value, timestamp) =>
        this.#put(table, { key, time: 0, ordinal: 0, value: bytes(value), timestamp, task }),
      delete: (key) => this.#delete(table, key, 0),
      group: (group) => rangeOf(table, group, afterPrefix(group)),
      scan: (from, to) => rangeOf(table, from, to, task),
    }
  }

  window(store: string, task: number, newest: (task: number) => StreamTime): WindowState {
    const table = this.#table(store)
    const own = newest(task)
    const alive = (row: StoreRow | undefined) =>
      row !== undefined && row.time > newest(row.task).value - this.#retentionMs && sees(row.time) ? row : undefined
    const sees = (start: number) => start > own.value - this.#retentionMs
    return {
      get: (key, start) => entryOf(alive(table.get(key, start, 0))),
      put: (key, start, value, timestamp) => {
        own.advance(start)
        if (sees(start)) this.#put(table, { key, time: start, ordinal: 0, value: bytes(value), timestamp, task })
      },
      delete: (key, start) => {
        own.advance(start)
        if (sees(start)) this.#delete(table, key, start)
      },
      scan: (fromStart, toStart) => scan(table, fromStart, toStart, task, sees),
      latestStart: () => own.value,
    }
  }

  keyTime(store: string, task: number, newest: (task: number) => StreamTime): KeyTimeState {
    const table = this.#table(store)
    const own = newest(task)
    const sees = (time: number) => time > own.value - this.#retentionMs
    const alive = (row: StoreRow | undefined) =>
      row !== undefined && row.time > newest(row.task).value - this.#retentionMs && sees(row.time) ? row : undefined
    const rows = (range: RowRange) => [...table.scan(range)].filter(alive).map(rowOf)
    return {
      get: (key, time, ordinal) => entryOf(alive(table.get(key, time, ordinal))),
      put: (key, time, ordinal, value, timestamp) => {
        own.advance(time)
        if (sees(time)) this.#put(table, { key, time, ordinal, value: bytes(value), timestamp, task })
      },
      delete: (key, time, ordinal) => {
        own.advance(time)
        if (sees(time)) this.#delete(table, key, time, ordinal)
      },
      range: (key, fromTime, toTime) => rows({ fromKey: key, toKey: `${key}\0`, fromTime, toTime }),
      scan: (fromTime, toTime) => rows({ fromTime, toTime, task, order: 'time' }).values(),
      latestTime: () => own.value,
    }
  }

  #table(name: string): StoreTable {
    const table = this.#tables.get(name)
    if (table === undefined) throw new Error(`no store ${name}`)
    return table
  }

  #put(table: StoreTable, row: StoreRow): void {
    this.#file.begin()
    table.put(row)
  }

  #delete(table: StoreTable, key: string, time: number, ordinal = 0): void {
    this.#file.begin()
    table.delete(key, time, ordinal)
  }
}

function* scan(
  table: StoreTable,
  fromTime: number,
  toTime: number,
  task: number,
  sees: (start: number) => boolean,
): IterableIterator<WindowRow> {
  for (const row of table.scan({ fromTime, toTime, task, order: 'time' })) {
    if (sees(row.time)) yield { key: row.key, start: row.time, value: parsed(row), timestamp: row.timestamp }
  }
}

function* rangeOf(
  table: StoreTable,
  fromKey: string,
  toKey: string | undefined,
  task?: number,
): IterableIterator<KeyValueRow> {
  for (const row of table.scan({
    fromKey,
    ...(toKey === undefined ? {} : { toKey }),
    ...(task === undefined ? {} : { task }),
  })) {
    yield { key: row.key, value: parsed(row), timestamp: row.timestamp }
  }
}

function entryOf(row: StoreRow | undefined): Entry | undefined {
  return row === undefined ? undefined : { value: parsed(row), timestamp: row.timestamp }
}

function rowOf(row: StoreRow): KeyTimeRow {
  const { key, time, ordinal, timestamp } = row
  return { key, time, ordinal, value: parsed(row), timestamp }
}

function parsed(row: StoreRow): unknown {
  return JSON.parse(Buffer.from(row.value).toString('utf8'))
}

function bytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value), 'utf8')
}

export const key = utf8ByteString
