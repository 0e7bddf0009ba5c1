import type { RunRow } from '../../../src/ports/history.ts'
import type { SliceCommit, StoreIdentity } from '../../../src/ports/state-file.ts'
import type { StoreRow, StoreTable } from '../../../src/ports/store-table.ts'

export const COUNTS: StoreIdentity = { name: 'counts', shape: 'key-value', format: 'string>count@1' }

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value === undefined ? undefined : new TextDecoder().decode(value)
}

export function row(key: string, value: string, place: Partial<StoreRow> = {}): StoreRow {
  return { key, time: 0, ordinal: 0, value: bytes(value), timestamp: 1000, task: 0, ...place }
}

/** The rows of a scan as `key@time.ordinal=value`. */
export function shown(rows: Iterable<StoreRow>): readonly string[] {
  return Array.from(rows, ({ key, time, ordinal, value }) => `${key}@${time}.${ordinal}=${text(value)}`)
}

export function valueAt(table: StoreTable, key: string): string | undefined {
  return text(table.get(key, 0, 0)?.value)
}

export function run(runId: string, parts: Partial<RunRow> = {}): RunRow {
  return {
    runId,
    job: 'orders',
    generation: 'g1',
    trigger: 'manual',
    attempt: 1,
    status: 'running',
    startedAt: 1000,
    finishedAt: null,
    durationMs: null,
    jobHash: 'a',
    planHash: 'b',
    plan: '{"version":1}',
    slices: 0,
    records: 0,
    partitions: [{ topic: 'in', partition: 0, from: 0, to: 5, records: 5 }],
    steps: { count: { late: 1, skipped: { 'null-key': 2 } } },
    heldBack: 0,
    streamTime: null,
    streamTimeBy: null,
    movedRows: 0,
    notices: ['all is “well”'],
    stores: [{ name: 'counts', entries: 3 }],
    error: null,
    ...parts,
  }
}

/** A slice that commits as the `seq`-th, with one batch in the outbox. */
export function slice(seq: number, parts: Partial<SliceCommit> = {}): SliceCommit {
  const token = { seq, id: `token-${seq}`, parent: seq === 1 ? null : `token-${seq - 1}` }
  return {
    checkpoint: { token, bytes: bytes(`{"seq":${seq}}`) },
    outbox: { token, endsRun: false, batches: [{ topic: 'out', partition: 1, records: 2, bytes: bytes(`b${seq}`) }] },
    run: run('run-1', { slices: seq }),
    events: [{ kind: 'cut', seq, runId: 'run-1', at: 5000, detail: { 'in/0': seq } }],
    ...parts,
  }
}
