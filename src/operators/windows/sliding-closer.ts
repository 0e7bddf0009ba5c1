import { decodeKey } from '../../serde/serde.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { SlidingWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import type { StreamTime } from '../operator.ts'
import type { Step } from '../step.ts'
import { rowCloser } from './row-closer.ts'
import type { WindowCloser } from './window-closer.ts'

/**
 * A sliding window closes once: when stream time - grace passes its end, which belongs to it. Windows go out by start,
 * then key, with their own times.
 */
export function slidingCloser(node: WindowedAggregateNode<SlidingWindows>, step: Step, time: StreamTime): WindowCloser {
  const { context, forward } = step
  const { differenceMs, graceMs } = node.windows
  const { result } = accumulatorOf(node, node.aggregate, context.running)
  const { key: keySerde } = node.store
  return rowCloser(node, step, time, differenceMs + graceMs, (closed) => {
    for (const { key: bytes, time: start, value, timestamp } of closed) {
      const key = decodeKey(keySerde, bytes)
      forward({ key, start, end: start + differenceMs }, result(value, key), null, timestamp)
    }
  })
}
