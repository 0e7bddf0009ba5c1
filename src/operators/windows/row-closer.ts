import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { StreamTime } from '../operator.ts'
import type { KeyTimeRow } from '../state.ts'
import { nothing, type Step } from '../step.ts'
import type { WindowCloser } from './window-closer.ts'

/**
 * The closer of windows that are rows by key and time. One closes once: when stream time passes the time of its row and
 * `waitMs`. `emit` gets the rows that a move of stream time closes, by time, before the record that moved it is added.
 */
export function rowCloser(
  node: WindowedAggregateNode,
  step: Step,
  time: StreamTime,
  waitMs: number,
  emit: (closed: Iterable<KeyTimeRow>) => void,
): WindowCloser {
  const state = step.context.keyTime(node.store.name)
  const emits = node.emit === 'on-window-close' && step.forward !== nothing
  return {
    advance: advanceTime,
    advanceTime,
    latestClose: () => {
      const latest = state.latestTime()
      if (latest < 0) return -1
      const close = latest + waitMs + 1
      return close > time.value ? close : -1
    },
  }

  function advanceTime(timestamp: number): void {
    const before = time.value
    if (!time.advance(timestamp) || !emits) return
    const [from, to] = [Math.max(0, before - waitMs), time.value - waitMs]
    if (from < to) emit(state.scan(from, to))
  }
}
