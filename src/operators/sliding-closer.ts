import { decodeKey } from '../serde/serde.ts'
import type { WindowedAggregateNode } from '../topology/nodes.ts'
import type { SlidingWindows } from '../topology/windows.ts'
import { accumulatorOf } from './accumulator.ts'
import type { StreamTime } from './operator.ts'
import { nothing, type Step } from './step.ts'
import type { WindowCloser } from './window-closer.ts'

/**
 * A sliding window closes once: when stream time - grace passes its end, which belongs to it. Windows go out by start,
 * then key, with their own times, before the record that moved time is added.
 */
export function slidingCloser(node: WindowedAggregateNode<SlidingWindows>, step: Step, time: StreamTime): WindowCloser {
  const { context, forward } = step
  const { differenceMs } = node.windows
  const waitMs = differenceMs + node.windows.graceMs
  const state = context.keyTime(node.store.name)
  const { result } = accumulatorOf(node, node.aggregate, context.running)
  const { key: keySerde } = node.store
  const emits = node.emit === 'on-window-close' && forward !== nothing
  return {
    advance: advanceTime,
    advanceTime,
    latestClose: () => {
      const start = state.latestTime()
      if (start < 0) return -1
      const close = start + waitMs + 1
      return close > time.value ? close : -1
    },
  }

  function advanceTime(timestamp: number): void {
    const before = time.value
    if (time.advance(timestamp) && emits) emitClosed(Math.max(0, before - waitMs), time.value - waitMs)
  }

  function emitClosed(fromStart: number, toStart: number): void {
    if (fromStart >= toStart) return
    for (const { key: bytes, time: start, value, timestamp } of state.scan(fromStart, toStart)) {
      const key = decodeKey(keySerde, bytes)
      forward({ key, start, end: start + differenceMs }, result(value, key), null, timestamp)
    }
  }
}
