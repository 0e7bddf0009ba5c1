import { decodeKey } from '../../serde/serde.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { FramedWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import type { StreamTime, TimedOperator } from '../operator.ts'
import { nothing, type Step } from '../step.ts'
import { windowFrames } from './window-frames.ts'

/** Moves a windowed aggregate's stream time and, where it emits on window close, emits what that closes. */
export interface WindowCloser extends TimedOperator {
  /** A record with this timestamp has come. */
  advance(timestamp: number): void
}

/**
 * A window closes once: when stream time - grace reaches its end. So what a move closes lies between the two times, and
 * nothing but stream time needs to be remembered. Windows go out by start, then key, with their own times. They do so
 * before the record that moved time is added to its own windows, so that retention cannot take away a final result.
 */
export function windowCloser(node: WindowedAggregateNode<FramedWindows>, step: Step, time: StreamTime): WindowCloser {
  const { context, forward } = step
  const { graceMs } = node.windows
  const frames = windowFrames(node.windows)
  const state = context.window(node.store.name)
  const { result } = accumulatorOf(node, node.aggregate, context.running)
  const { key: keySerde } = node.store
  const emits = node.emit === 'on-window-close' && forward !== nothing
  return {
    advance: advanceTime,
    advanceTime,
    latestClose: () => {
      const start = state.latestStart()
      if (start < 0) return -1
      const close = frames.end(start) + graceMs
      return close > time.value ? close : -1
    },
  }

  function advanceTime(timestamp: number): void {
    const before = time.value
    if (time.advance(timestamp) && emits) emitClosed(before)
  }

  function emitClosed(before: number): void {
    const closed = time.value - graceMs
    if (closed < 0) return
    const from = before < graceMs ? 0 : frames.first(before - graceMs)
    const to = frames.first(closed)
    if (from >= to) return
    for (const row of state.scan(from, to)) {
      const key = decodeKey(keySerde, row.key)
      forward({ key, start: row.start, end: frames.end(row.start) }, result(row.value, key), null, row.timestamp)
    }
  }
}
