import type { ByteString } from '../../core/bytes.ts'
import type { StoreRef, StreamStreamJoinNode } from '../../topology/nodes.ts'
import type { Mark, StreamTime, TaskContext } from '../operator.ts'
import type { KeyTimeState } from '../state.ts'
import { addArrival } from './arrivals.ts'
import { type UnmatchedRow, unmatchedRows } from './unmatched-rows.ts'

interface Waiting {
  readonly state: KeyTimeState
  /** How long after a record's own time another one may match it. */
  readonly spanMs: number
}

const PIECE_ROWS = 256

/**
 * The records of a left or outer join that wait for a match. One goes out once stream time has passed its last possible
 * match and the grace. As in Kafka Streams they are looked through only where the record that was looked at last the time
 * before may be due, or an older one that has come since; by time, right before left, key; up to the first one behind a
 * left and a right one that both go on waiting.
 */
export class Unmatched {
  readonly #sides: readonly [left: Waiting | undefined, right: Waiting | undefined]
  readonly #graceMs: number
  readonly #time: StreamTime
  /** The time of the record looked at last, or of an older one; none where that is not known. */
  readonly #since: Mark
  readonly #emit: (waited: UnmatchedRow) => void
  /** Nothing waits, for certain. */
  #empty = false

  constructor(node: StreamStreamJoinNode, context: TaskContext, emit: (waited: UnmatchedRow) => void) {
    const { name, sides, windows } = node
    const waiting = (store: StoreRef | null, spanMs: number): Waiting | undefined =>
      store === null ? undefined : { state: context.keyTime(store.name), spanMs }
    this.#sides = [waiting(sides[0].unmatched, windows.afterMs), waiting(sides[1].unmatched, windows.beforeMs)]
    this.#graceMs = windows.graceMs
    this.#time = context.streamTime(name)
    this.#since = context.mark(`${name}/unmatched-since`)
    this.#emit = emit
  }

  add(side: 0 | 1, key: ByteString, time: number, value: unknown): void {
    const waiting = this.#sides[side]
    if (waiting === undefined) return
    addArrival(waiting.state, key, time, value)
    if (this.#since.value < 0 || time < this.#since.value) this.#since.value = time
    this.#empty = false
  }

  /** Records of this side with this key and time have found a match. */
  matched(side: 0 | 1, key: ByteString, time: number): void {
    const state = this.#sides[side]?.state
    if (state === undefined) return
    for (const { ordinal } of state.range(key, time, time + 1)) state.delete(key, time, ordinal)
  }

  /** Emits what is due, if a record that may be matched for `spanMs` could be. */
  emitDue(spanMs: number): void {
    const since = this.#since.value
    if (since < 0 ? !this.#empty : since + spanMs + this.#graceMs < this.#time.value) this.emitAllDue()
  }

  /** Emits what is due. */
  emitAllDue(): void {
    let last: UnmatchedRow | undefined
    let leftWaits = false
    let rightWaits = false
    for (let full = true; full; ) {
      const due: UnmatchedRow[] = []
      for (const waited of this.#rows(last)) {
        last = waited
        if (leftWaits && rightWaits) break
        if (!this.#isOpen(waited)) due.push(waited)
        else if (waited.side === 0) leftWaits = true
        else rightWaits = true
        if (due.length === PIECE_ROWS) break
      }
      for (const waited of due) this.#release(waited)
      full = due.length === PIECE_ROWS
    }
    this.#since.value = last === undefined ? -1 : last.row.time
    this.#empty = last === undefined
  }

  /** The least stream time at which nothing would wait any more, or -1 where nothing waits. */
  latestClose(): number {
    let latest = -1
    for (const { side, row } of this.#rows(undefined)) {
      latest = Math.max(latest, row.time + (this.#sides[side]?.spanMs ?? 0) + this.#graceMs + 1)
    }
    return latest
  }

  #rows(after: UnmatchedRow | undefined): IterableIterator<UnmatchedRow> {
    const [left, right] = this.#sides
    return unmatchedRows(left?.state, right?.state, after)
  }

  #isOpen({ side, row }: UnmatchedRow): boolean {
    return row.time + (this.#sides[side]?.spanMs ?? 0) + this.#graceMs >= this.#time.value
  }

  #release(waited: UnmatchedRow): void {
    const { key, time, ordinal } = waited.row
    this.#emit(waited)
    this.#sides[waited.side]?.state.delete(key, time, ordinal)
  }
}
