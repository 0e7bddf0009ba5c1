import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { SlidingWindows } from '../../topology/windows.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator, StreamTime } from '../operator.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { lateWindows } from './late-windows.ts'
import { slidingCloser } from './sliding-closer.ts'
import { slidingUpdate } from './sliding-update.ts'
import { addToEarlyWindows, addToWindows } from './sliding-windows.ts'

/**
 * Folds the records of each key into windows of one width that begin or end at records, rows by (key, start). A record at
 * `t` has a left window, `[t - d, t]`, and, once later records fall into it, a right one, `[t + 1, t + 1 + d]`. Windows
 * take records while end >= stream time - grace. Null keys and null values are skipped and counted, and move no time.
 *
 *     p's right                   [p+1 ──────── p+1+d]
 *     t's left           [t-d ──────── t]
 *     t's right                        [t+1 ──────── t+1+d]
 *     ─────────────────────────p───────t────────u─────────
 */
export function slidingAggregate(node: WindowedAggregateNode<SlidingWindows>, step: Step, time: StreamTime): Operator {
  const { context } = step
  const { differenceMs, graceMs } = node.windows
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const update = slidingUpdate(node, step)
  const closer = slidingCloser(node, step, time)
  const late = lateWindows(node.name, step)

  return {
    process: (key, value, _old, timestamp) => {
      if (key === null || value === null) {
        skipped(context, node.name, key === null ? 'null-key' : 'null-value')
        return
      }
      closer.advance(timestamp)
      const oldestEnd = time.value - graceMs
      if (timestamp + differenceMs < oldestEnd) {
        late(key, value, [{ key, start: timestamp, end: timestamp + differenceMs }], timestamp)
        return
      }
      update.begin(keyBytes(key), key, value, timestamp, oldestEnd)
      if (timestamp < differenceMs) addToEarlyWindows(update)
      else addToWindows(update, differenceMs)
      const missed = update.missed()
      if (missed !== null) late(key, value, missed, timestamp)
    },
    timed: closer,
  }
}
