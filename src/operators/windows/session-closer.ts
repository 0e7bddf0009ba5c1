import { decodeKey } from '../../serde/serde.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { SessionWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import type { StreamTime } from '../operator.ts'
import type { KeyTimeRow } from '../state.ts'
import type { Step } from '../step.ts'
import { rowCloser } from './row-closer.ts'
import type { WindowCloser } from './window-closer.ts'

/**
 * A session closes once: when stream time - grace - gap passes its end. Sessions go out by end, start, key, with their
 * ends as times.
 */
export function sessionCloser(node: WindowedAggregateNode<SessionWindows>, step: Step, time: StreamTime): WindowCloser {
  const { context, forward } = step
  const { result } = accumulatorOf(node, node.aggregate, context.running)
  const { key: keySerde } = node.store
  const { gapMs, graceMs } = node.windows
  return rowCloser(node, step, time, gapMs + graceMs, (closed) => {
    let sameEnd: KeyTimeRow[] = []
    for (const row of closed) {
      if (sameEnd[0] !== undefined && sameEnd[0].time !== row.time) {
        emit(sameEnd)
        sameEnd = []
      }
      sameEnd.push(row)
    }
    emit(sameEnd)
  })

  /** Rows of one end, which come by key, then start. */
  function emit(rows: KeyTimeRow[]): void {
    rows.sort((one, other) => one.ordinal - other.ordinal)
    for (const { key: bytes, ordinal: start, time: end, value } of rows) {
      const key = decodeKey(keySerde, bytes)
      forward({ key, start, end }, result(value, key), null, end)
    }
  }
}
