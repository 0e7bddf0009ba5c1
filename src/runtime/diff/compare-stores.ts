import { equalBytes } from '../../core/bytes.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StateFile, StoreIdentity } from '../../ports/state-file.ts'
import type { StoreRow, StoreTable } from '../../ports/store-table.ts'
import type { Job } from '../../topology/job.ts'
import { StoreReader } from '../stores/store-reader.ts'
import { pairRows } from './pair-rows.ts'
import { sameValue } from './same-value.ts'
import { type DifferentRow, differentRow, type StoreDiff } from './store-diff.ts'
import { isExact, type Tolerance } from './tolerance.ts'

/** One generation's store. */
export interface StoreSide {
  readonly identity: StoreIdentity
  readonly table: StoreTable
  readonly reader: StoreReader
}

export interface CompareOptions {
  readonly tolerance: Tolerance
  /** Rows that differ to be shown, for each store. */
  readonly samples: number
  readonly clock: Pick<Clock, 'monotonic' | 'yield'>
}

/** Rows between two looks at the clock, and the event loop's turn, ms. */
const LOOK_EVERY = 256
const TURN_MS = 100

/** A store of a generation, or undefined where its file has none of that name. */
export function storeSide(file: StateFile, job: Job, name: string): StoreSide | undefined {
  const identity = file.stores().find((store) => store.name === name)
  if (identity === undefined) return undefined
  return { identity, table: file.table(identity), reader: new StoreReader(file, job, name) }
}

/**
 * Compares two stores of one shape row by row. Rows are the same where their bytes are, or what they decode to within the
 * tolerance; where there is a tolerance, or the two are written otherwise, it is what the tables show that counts.
 */
export async function compareStores(live: StoreSide, other: StoreSide, options: CompareOptions): Promise<StoreDiff> {
  const counts = { live: 0, other: 0, same: 0, missing: 0, extra: 0, different: 0, otherTimestamps: 0 }
  const samples: DifferentRow[] = []
  const { clock } = options
  let turn = clock.monotonic()
  let look = LOOK_EVERY
  for (const { left, right } of pairRows(live.table, other.table)) {
    if (left !== null) counts.live++
    if (right !== null) counts.other++
    const kind = left === null ? 'extra' : right === null ? 'missing' : differs(live, left, other, right, options)
    if (kind === null) {
      counts.same++
      if (left?.timestamp !== right?.timestamp) counts.otherTimestamps++
    } else {
      counts[kind]++
      if (samples.length < options.samples) samples.push(sample(kind, live, left, other, right))
    }
    if (--look > 0) continue
    look = LOOK_EVERY
    if (clock.monotonic() - turn < TURN_MS) continue
    await clock.yield()
    turn = clock.monotonic()
  }
  const { live: liveRows, other: otherRows, ...rest } = counts
  return { store: live.identity.name, rows: { live: liveRows, other: otherRows }, ...rest, samples }
}

function differs(
  live: StoreSide,
  left: StoreRow,
  other: StoreSide,
  right: StoreRow,
  { tolerance }: CompareOptions,
): 'different' | null {
  const sameFormat = live.identity.format === other.identity.format
  if (sameFormat && equalBytes(left.value, right.value)) return null
  const same =
    sameFormat && isExact(tolerance)
      ? sameValue(live.reader.decoded(left), other.reader.decoded(right), tolerance)
      : sameValue(live.reader.entry(left).value, other.reader.entry(right).value, tolerance)
  return same ? null : 'different'
}

function sample(
  kind: DifferentRow['kind'],
  live: StoreSide,
  left: StoreRow | null,
  other: StoreSide,
  right: StoreRow | null,
): DifferentRow {
  return differentRow(
    kind,
    left === null ? null : live.reader.entry(left),
    right === null ? null : other.reader.entry(right),
  )
}
