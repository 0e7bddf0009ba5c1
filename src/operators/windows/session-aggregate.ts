import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { SessionWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator, StreamTime } from '../operator.ts'
import { skipped } from '../skipped.ts'
import { nothing, type Step } from '../step.ts'
import { lateWindows } from './late-windows.ts'
import { sessionCloser } from './session-closer.ts'

/**
 * Folds the records of each key into sessions `[first, last]`, rows by (key, end, start). A record joins the sessions that
 * are no more than the gap away: each of them is taken back by a tombstone, by end, and the merged one follows; only a
 * session of exactly the record's time is updated in place. It is late where what it would make ends before
 * stream time - grace - gap. Null keys are skipped and counted; null values are added.
 */
export function sessionAggregate(node: WindowedAggregateNode<SessionWindows>, step: Step, time: StreamTime): Operator {
  const { context, forward, sendsOld } = step
  const { gapMs, graceMs } = node.windows
  const state = context.keyTime(node.store.name)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const { start: init, add, merge, result } = accumulatorOf(node, node.aggregate, context.running)
  const closer = sessionCloser(node, step, time)
  const late = lateWindows(node.name, step)
  const emits = node.emit === 'on-update' && forward !== nothing

  return {
    process: (key, value, _old, timestamp) => {
      if (key === null) {
        skipped(context, node.name, 'null-key')
        return
      }
      closer.advance(timestamp)
      const bytes = keyBytes(key)
      const near = state.range(bytes, timestamp - gapMs, Number.POSITIVE_INFINITY)
      let start = timestamp
      let end = timestamp
      let count = 0
      let merged = init()
      for (const session of near) {
        if (session.ordinal > timestamp + gapMs) break
        merged = merge(merged, session.value, key)
        if (session.ordinal < start) start = session.ordinal
        if (session.time > end) end = session.time
        count++
      }
      if (end < time.value - graceMs - gapMs) {
        late(key, value, [{ key, start, end }], timestamp)
        return
      }
      if (start !== end) {
        for (let i = 0; i < count; i++) {
          const session = near[i]
          if (session === undefined) break
          const { time: sessionEnd, ordinal: sessionStart, value: before } = session
          state.delete(bytes, sessionEnd, sessionStart)
          if (!emits) continue
          const windowed = { key, start: sessionStart, end: sessionEnd }
          forward(windowed, null, sendsOld ? result(before, key) : undefined, sessionEnd)
        }
      }
      const after = add(merged, value, key)
      if (after === null) state.delete(bytes, end, start)
      else state.put(bytes, end, start, after, end)
      if (emits) forward({ key, start, end }, result(after, key), sendsOld ? null : undefined, end)
    },
    timed: closer,
  }
}
