import fc from 'fast-check'
import { job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { MemoryStateDirectory } from '../../../src/adapters/memory/state-directory.ts'
import type { StreamTime } from '../../../src/operators/operator.ts'
import type { Entry, KeyTimeRow, KeyValueRow, Stores, WindowRow } from '../../../src/operators/state.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { StoreShape } from '../../../src/ports/store-table.ts'
import { StoreViews } from '../../../src/runtime/stores/store-views.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { TaskTimes } from '../../../src/runtime/task-times.ts'
import type { Topology } from '../../../src/topology/topology.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { NaiveStores } from './naive-stores.ts'
import { numbers } from './topics.ts'

/** Short enough to matter, and so long that nothing ever expires. */
const RETENTIONS = [30, 1_000_000]

function topologyOf(retention: number): Topology {
  const { topology } = job('twin', {}, ({ stream }) => {
    const grouped = stream(numbers).groupByKey()
    grouped.count('kv')
    grouped.windowedBy(tumbling(10, { retention })).count('win')
    grouped.windowedBy(tumbling(10, { retention })).count('kt')
  })
  // the first store with groups, the last one by key and time, whatever step would keep them so
  const nodes = topology.nodes.map((node) => {
    if (node.kind === 'aggregate') return { ...node, store: { ...node.store, groupOf } }
    if (node.kind !== 'windowed-aggregate' || node.name !== 'kt') return node
    return { ...node, store: { ...node.store, shape: 'key-time' as const } }
  })
  return { ...topology, nodes }
}

const groupOf = (key: string): string => key.slice(0, 1)

type Call =
  | { readonly do: 'get' | 'put' | 'delete'; readonly key: string; readonly task: number }
  | { readonly do: 'group'; readonly key: string; readonly task: number }
  | { readonly do: 'wget' | 'wput' | 'wdelete'; readonly key: string; readonly start: number; readonly task: number }
  | {
      readonly do: 'tget' | 'tput' | 'tdelete'
      readonly key: string
      readonly start: number
      readonly ordinal: number
      readonly task: number
    }
  | {
      readonly do: 'trange'
      readonly key: string
      readonly start: number
      readonly span: number
      readonly task: number
    }
  | {
      readonly do: 'tscan' | 'ttake'
      readonly start: number
      readonly span: number
      readonly rows: number
      readonly task: number
    }
  | { readonly do: 'scan'; readonly start: number; readonly task: number }
  | { readonly do: 'flush' | 'rollback' }

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'é', 'a\0', 'ab', '\xff', '\xff1')
const task = fc.integer({ min: 0, max: 1 })
const start = fc.integer({ min: 0, max: 12 }).map((n) => n * 10)
const ordinal = fc.integer({ min: 0, max: 2 })
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ do: fc.constantFrom('get', 'put', 'put', 'delete'), key, task }),
  fc.record({ do: fc.constant('group' as const), key, task }),
  fc.record({ do: fc.constantFrom('wget', 'wput', 'wput', 'wdelete'), key, start, task }),
  fc.record({ do: fc.constant('scan' as const), start, task }),
  fc.record({ do: fc.constantFrom('tget', 'tput', 'tput', 'tput', 'tdelete'), key, start, ordinal, task }),
  fc.record({ do: fc.constant('trange' as const), key, start, span: fc.constantFrom(10, 30, Infinity), task }),
  fc.record({
    do: fc.constantFrom('tscan' as const, 'ttake' as const),
    start: fc.oneof(fc.constant(0), start),
    span: fc.constantFrom(40, Infinity),
    rows: fc.constantFrom(1, 3, Infinity),
    task,
  }),
  fc.record({ do: fc.constantFrom('flush' as const, 'rollback' as const) }),
)

/** One side of the comparison: stores on a file of their own, with their times. */
class Side {
  readonly file: StateFile = new MemoryStateDirectory().open('twin', 'g1', { create: true })
  readonly stores: Stores
  readonly #afterRollback: () => void
  readonly #flush: () => void
  #times = new TaskTimes({}, { topic: '', partition: -1, offset: -1 })
  #committed: Record<string, number> = {}
  readonly #topology: Topology
  readonly #retention: number
  #seq = 0

  constructor(
    retention: number,
    make: (file: StateFile, topology: Topology) => { stores: Stores; flush: () => void; discard: () => void },
  ) {
    this.#retention = retention
    this.#topology = topologyOf(retention)
    const { stores, flush, discard } = make(this.file, this.#topology)
    this.stores = stores
    this.#flush = flush
    this.#afterRollback = discard
  }

  readonly newest = (number: number): StreamTime => this.#times.of('newest', number)

  readonly newestRow = (number: number): StreamTime => this.#times.of('newest-row', number)

  apply(number: number, call: Call): unknown {
    switch (call.do) {
      case 'get':
        return seen(this.stores.keyValue('kv', call.task).get(call.key))
      case 'put':
        return this.stores.keyValue('kv', call.task).put(call.key, number, number)
      case 'delete':
        return this.stores.keyValue('kv', call.task).delete(call.key)
      case 'group':
        return [...this.stores.keyValue('kv', call.task).group(groupOf(call.key))].map(seenKeyValue)
      case 'wget':
        return seen(this.stores.window('win', call.task, this.newest).get(call.key, call.start))
      case 'wput':
        return this.stores.window('win', call.task, this.newest).put(call.key, call.start, number, number)
      case 'wdelete':
        return this.stores.window('win', call.task, this.newest).delete(call.key, call.start)
      case 'scan':
        return [...this.stores.window('win', call.task, this.newest).scan(call.start, call.start + 40)].map(seenRow)
      case 'tget':
        return seen(this.stores.keyTime('kt', call.task, this.newestRow).get(call.key, call.start, call.ordinal))
      case 'tput':
        return this.stores
          .keyTime('kt', call.task, this.newestRow)
          .put(call.key, call.start, call.ordinal, number, number)
      case 'tdelete':
        return this.stores.keyTime('kt', call.task, this.newestRow).delete(call.key, call.start, call.ordinal)
      case 'trange':
        return this.stores
          .keyTime('kt', call.task, this.newestRow)
          .range(call.key, call.start, call.start + call.span)
          .map(seenKeyTime)
      case 'tscan':
      case 'ttake':
        return this.#taken(call)
      case 'flush':
        return this.commit()
      case 'rollback':
        return this.#rollback()
    }
  }

  /** The first rows of a scan, which is left then; each may be deleted when it is given. */
  #taken({ do: how, start, span, rows, task }: Extract<Call, { readonly rows: number }>): unknown[] {
    const state = this.stores.keyTime('kt', task, this.newestRow)
    const found: unknown[] = []
    for (const row of state.scan(start, start + span)) {
      found.push(seenKeyTime(row))
      if (how === 'ttake') state.delete(row.key, row.time, row.ordinal)
      if (found.length >= rows) break
    }
    return found
  }

  commit(): void {
    this.#flush()
    const token = { seq: ++this.#seq, id: String(this.#seq), parent: null }
    this.file.commit({
      checkpoint: { token, bytes: new Uint8Array(0) },
      outbox: { token, endsRun: false, batches: [] },
      run: RUN,
      events: [],
    })
    this.#committed = this.#times.snapshot()
  }

  /** All rows that are still to be seen by the task that wrote them. */
  rows(): unknown[] {
    return storeIdentities(this.#topology).flatMap((identity) =>
      [...this.file.table(identity).scan({})]
        .filter((row) => row.time > this.#newestOf(identity.shape, row.task) - this.#retention)
        .map((row) => [identity.name, row.key, row.time, String(Buffer.from(row.value)), row.timestamp, row.task]),
    )
  }

  #newestOf(shape: StoreShape, task: number): number {
    if (shape === 'key-value') return 0
    return (shape === 'window' ? this.newest(task) : this.newestRow(task)).value
  }

  #rollback(): void {
    this.file.rollback()
    this.#afterRollback()
    this.#times = new TaskTimes(this.#committed, { topic: '', partition: -1, offset: -1 })
  }
}

const seen = (entry: Entry | undefined) => (entry === undefined ? undefined : [entry.value, entry.timestamp])
const seenKeyValue = (row: KeyValueRow) => [row.key, row.value, row.timestamp]
const seenRow = (row: WindowRow) => [row.key, row.start, row.value, row.timestamp]

const seenKeyTime = (row: KeyTimeRow) => [row.key, row.time, row.ordinal, row.value, row.timestamp]

const RUN = {
  runId: 'r',
  job: 'twin',
  generation: 'g1',
  trigger: 'test',
  attempt: 1,
  status: 'running',
  startedAt: 0,
  finishedAt: null,
  durationMs: null,
  jobHash: '',
  planHash: '',
  plan: '',
  slices: 0,
  records: 0,
  partitions: [],
  steps: {},
  heldBack: 0,
  streamTime: null,
  streamTimeBy: null,
  movedRows: 0,
  notices: [],
  stores: [],
  error: null,
} as const

const cached = (retention: number, entries: number) =>
  new Side(retention, (file, topology) => {
    const views = new StoreViews(file, topology, entries)
    return { stores: views, flush: () => views.flush(), discard: () => views.discard() }
  })
const naive = (retention: number) =>
  new Side(retention, (file, topology) => ({
    stores: new NaiveStores(file, topology, retention),
    flush: () => {},
    discard: () => {},
  }))

describe.each(RETENTIONS)('the write-behind, with a retention of %i', (retention) => {
  it('sees and leaves what a store without a cache would, however small it is', () => {
    const { seed, numRuns } = propertyRuns(200)
    fc.assert(
      fc.property(fc.array(call, { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (calls, entries) => {
        const sides = [cached(retention, entries), naive(retention)] as const
        for (const [number, each] of calls.entries()) {
          expect(sides[0].apply(number, each)).toEqual(sides[1].apply(number, each))
        }
        for (const side of sides) side.commit()
        expect(sides[0].rows()).toEqual(sides[1].rows())
      }),
      { seed, numRuns },
    )
  })

  it('leaves no row that retention has passed', () => {
    const { seed, numRuns } = propertyRuns(100)
    fc.assert(
      fc.property(fc.array(call, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (calls, entries) => {
        const side = cached(retention, entries)
        for (const [number, each] of calls.entries()) side.apply(number, each)
        side.commit()
        const table = side.file.table({ name: 'win', shape: 'window', format: '' })
        for (const row of table.scan({})) expect(row.time).toBeGreaterThan(side.newest(row.task).value - retention)
        const rows = side.file.table({ name: 'kt', shape: 'key-time', format: '' })
        for (const row of rows.scan({})) expect(row.time).toBeGreaterThan(side.newestRow(row.task).value - retention)
      }),
      { seed, numRuns },
    )
  })
})
