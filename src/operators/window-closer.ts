import { decodeKey } from '../serde/serde.ts'
import type { WindowedAggregateNode } from '../topology/nodes.ts'
import { accumulatorOf } from './accumulator.ts'
import type { TimedOperator } from './operator.ts'
import { nothing, type Step } from './step.ts'
import { startFrom } from './window-starts.ts'

/** Moves a windowed aggregate's stream time and, where it emits on window close, emits what that closes. */
export interface WindowCloser extends TimedOperator {
  /** A record with this timestamp has come. */
  advance(timestamp: number): void
}

/**
 * A window closes once: when stream time - grace passes its end. So what a move closes lies between the two times, and
 * nothing but stream time needs to be remembered. Windows go out by start, then key, with their own times. They do so
 * before the record that moved time is added to its own windows, so that retention cannot take away a final result.
 */
export function windowCloser(node: WindowedAggregateNode, step: Step): WindowCloser {
  const { context, forward } = step
  const { sizeMs, graceMs } = node.windows
  const time = context.streamTime(node.name)
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
      const close = start + sizeMs + graceMs
      return close > time.value ? close : -1
    },
  }

  function advanceTime(timestamp: number): void {
    const before = time.value
    if (time.advance(timestamp) && emits) emitClosed(before)
  }

  function emitClosed(before: number): void {
    const from = before < 0 ? 0 : Math.max(0, before - graceMs - sizeMs + 1)
    const to = time.value - graceMs - sizeMs + 1
    if (startFrom(node.windows, from) >= to) return
    for (const row of state.scan(from, to)) {
      const key = decodeKey(keySerde, row.key)
      forward({ key, start: row.start, end: row.start + sizeMs }, result(row.value, key), null, row.timestamp)
    }
  }
}
