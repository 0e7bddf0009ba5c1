import type { ByteString } from '../core/bytes.ts'
import type { Windowed, WindowedAggregateNode } from '../topology/nodes.ts'
import { accumulatorOf } from './accumulator.ts'
import { keyBytesOf } from './bytes-of.ts'
import type { Operator } from './operator.ts'
import { skipped } from './skipped.ts'
import { nothing, type Step } from './step.ts'
import { windowCloser } from './window-closer.ts'
import { firstStart } from './window-starts.ts'

/**
 * Folds the records of each key into one value for each window `[start, start + size)` that contains them. A window takes
 * records while its end > stream time - grace; stream time is this step's in this task, and null keys do not move it.
 * Null keys are skipped and counted; null values are added.
 *
 *     ──[start ─────────── end)──── grace ────┤
 *       open ──────────────────────────────── end + grace = stream time: closed
 */
export function windowedAggregate(node: WindowedAggregateNode, step: Step): Operator {
  const { context, forward, late } = step
  const { windows } = node
  const { sizeMs, advanceMs, graceMs } = windows
  const time = context.streamTime(node.name)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const update = windowUpdate(node, step)
  const closer = windowCloser(node, step)
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
      const first = firstStart(windows, timestamp)
      let start = first
      while (start <= timestamp && start + sizeMs <= closeTime) start += advanceMs
      const missed = (start - first) / advanceMs
      for (; start <= timestamp; start += advanceMs) update(bytes, key, value, start, timestamp, emits)
      if (missed === 0) return
      countLate(missed)
      if (late !== null) late(key, value, missedWindows(key, first, missed), timestamp)
    },
    timed: closer,
  }

  function countLate(missed: number): void {
    const counts = context.counts(node.name)
    counts.late = (counts.late ?? 0) + 1
    counts.droppedWindows = (counts.droppedWindows ?? 0) + missed
  }

  function missedWindows(key: unknown, first: number, count: number): readonly Windowed<unknown>[] {
    return Array.from({ length: count }, (_, i) => {
      const start = first + i * advanceMs
      return { key, start, end: start + sizeMs }
    })
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
function windowUpdate(node: WindowedAggregateNode, step: Step): Update {
  const { context, forward, sendsOld } = step
  const { sizeMs } = node.windows
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
    const windowed = { key, start, end: start + sizeMs }
    forward(windowed, result(after, key), sendsOld ? result(before, key) : undefined, time)
  }
}
