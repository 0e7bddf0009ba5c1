import type { ByteString } from '../../core/bytes.ts'
import type { Windowed } from '../../core/windowed.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { FramedWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator, StreamTime } from '../operator.ts'
import { skipped } from '../skipped.ts'
import { nothing, type Step } from '../step.ts'
import { lateWindows } from './late-windows.ts'
import { windowCloser } from './window-closer.ts'
import { windowFrames } from './window-frames.ts'

/**
 * Folds the records of each key into one value for each window `[start, end)` that contains them. A window takes records
 * while its end > stream time - grace; stream time is this step's in this task, and null keys do not move it. Null keys
 * are skipped and counted; null values are added.
 *
 *     ──[start ─────────── end)──── grace ────┤
 *       open ──────────────────────────────── end + grace = stream time: closed
 */
export function windowedAggregate(node: WindowedAggregateNode<FramedWindows>, step: Step, time: StreamTime): Operator {
  const { context, forward } = step
  const { graceMs } = node.windows
  const frames = windowFrames(node.windows)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const update = windowUpdate(node, step)
  const closer = windowCloser(node, step, time)
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
      const closeTime = time.value - graceMs
      const first = frames.first(timestamp)
      let start = first
      while (start <= timestamp && frames.end(start) <= closeTime) start = frames.next(start)
      const firstOpen = start
      for (; start <= timestamp; start = frames.next(start)) update(bytes, key, value, start, timestamp, emits)
      if (firstOpen > first) late(key, value, windowsBetween(key, first, firstOpen), timestamp)
    },
    timed: closer,
  }

  function windowsBetween(key: unknown, from: number, to: number): readonly Windowed<unknown>[] {
    const windows: Windowed<unknown>[] = []
    for (let start = from; start < to; start = frames.next(start)) windows.push({ key, start, end: frames.end(start) })
    return windows
  }
}

type Update = (
  bytes: ByteString,
  key: unknown,
  value: unknown,
  start: number,
  timestamp: number,
  emits: boolean,
) => void

/** Adds a value to one window. Where it had no entry, the value before is what `init` gives, as in Kafka Streams. */
function windowUpdate(node: WindowedAggregateNode<FramedWindows>, step: Step): Update {
  const { context, forward, sendsOld } = step
  const frames = windowFrames(node.windows)
  const state = context.window(node.store.name)
  const { start: init, add, result } = accumulatorOf(node, node.aggregate, context.running)
  return (bytes, key, value, start, timestamp, emits) => {
    const entry = state.get(bytes, start)
    const before = entry === undefined ? init() : entry.value
    const time = entry === undefined ? timestamp : Math.max(entry.timestamp, timestamp)
    const after = add(before, value, key)
    if (after === null) state.delete(bytes, start)
    else state.put(bytes, start, after, time)
    if (!emits) return
    const windowed = { key, start, end: frames.end(start) }
    forward(windowed, result(after, key), sendsOld ? result(before, key) : undefined, time)
  }
}
