import { decodeKey } from '../serde/serde.ts'
import type { WindowedAggregateNode } from '../topology/nodes.ts'
import type { SessionWindows } from '../topology/windows.ts'
import { accumulatorOf } from './accumulator.ts'
import type { StreamTime } from './operator.ts'
import type { KeyTimeRow } from './state.ts'
import { nothing, type Step } from './step.ts'
import type { WindowCloser } from './window-closer.ts'

/**
 * A session closes once: when stream time - grace - gap passes its end. Sessions go out by end, start, key, with their
 * ends as times, before the record that moved time is added.
 */
export function sessionCloser(node: WindowedAggregateNode<SessionWindows>, step: Step, time: StreamTime): WindowCloser {
  const { context, forward } = step
  const waitMs = node.windows.gapMs + node.windows.graceMs
  const state = context.keyTime(node.store.name)
  const { result } = accumulatorOf(node, node.aggregate, context.running)
  const { key: keySerde } = node.store
  const emits = node.emit === 'on-window-close' && forward !== nothing
  return {
    advance: advanceTime,
    advanceTime,
    latestClose: () => {
      const end = state.latestTime()
      if (end < 0) return -1
      const close = end + waitMs + 1
      return close > time.value ? close : -1
    },
  }

  function advanceTime(timestamp: number): void {
    const before = time.value
    if (time.advance(timestamp) && emits) emitClosed(Math.max(0, before - waitMs), time.value - waitMs)
  }

  function emitClosed(fromEnd: number, toEnd: number): void {
    if (fromEnd >= toEnd) return
    let sameEnd: KeyTimeRow[] = []
    for (const row of state.scan(fromEnd, toEnd)) {
      if (sameEnd[0] !== undefined && sameEnd[0].time !== row.time) {
        emit(sameEnd)
        sameEnd = []
      }
      sameEnd.push(row)
    }
    emit(sameEnd)
  }

  /** Rows of one end, which come by key, then start. */
  function emit(rows: KeyTimeRow[]): void {
    rows.sort((one, other) => one.ordinal - other.ordinal)
    for (const { key: bytes, ordinal: start, time: end, value } of rows) {
      const key = decodeKey(keySerde, bytes)
      forward({ key, start, end }, result(value, key), null, end)
    }
  }
}
