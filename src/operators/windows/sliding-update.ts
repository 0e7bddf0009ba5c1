import type { ByteString } from '../../core/bytes.ts'
import type { Windowed } from '../../core/windowed.ts'
import type { WindowedAggregateNode } from '../../topology/nodes.ts'
import type { SlidingWindows } from '../../topology/windows.ts'
import { accumulatorOf } from '../accumulator.ts'
import type { KeyTimeRow } from '../state.ts'
import { nothing, type Step } from '../step.ts'

/** One record on its way into the windows that it belongs to: one object for all records of a task. */
export interface SlidingUpdate {
  /** The record's time. */
  readonly timestamp: number
  /** A record has come. `oldestEnd` is the least end of a window that still takes records. */
  begin(bytes: ByteString, key: unknown, value: unknown, timestamp: number, oldestEnd: number): void
  /** Rows of the record's key with `fromStart` <= start < `toStart`, by start. They change as windows are updated. */
  rows(fromStart: number, toStart: number): readonly KeyTimeRow[]
  /** Adds the record to the window that begins at `start` and holds `before` so far. A closed one is missed. */
  add(start: number, before: unknown, beforeTime: number): void
  /** Adds the record to a window that is new and holds nothing so far. */
  addFirst(start: number): void
  /** Makes the window that begins at `start` with what another holds; the record does not belong to it. */
  copy(start: number, value: unknown, timestamp: number): void
  /** The closed windows that the record belonged to; null where there are none. */
  missed(): readonly Windowed<unknown>[] | null
}

export function slidingUpdate(node: WindowedAggregateNode<SlidingWindows>, step: Step): SlidingUpdate {
  const { context, forward, sendsOld } = step
  const { differenceMs } = node.windows
  const state = context.keyTime(node.store.name)
  const accumulator = accumulatorOf(node, node.aggregate, context.running)
  const emits = node.emit === 'on-update' && forward !== nothing
  let bytes: ByteString = ''
  let key: unknown
  let value: unknown
  let oldestEnd = 0
  let missed: Windowed<unknown>[] | null = null

  const update = {
    timestamp: -1,
    begin(recordBytes: ByteString, recordKey: unknown, recordValue: unknown, timestamp: number, oldest: number): void {
      bytes = recordBytes
      key = recordKey
      value = recordValue
      update.timestamp = timestamp
      oldestEnd = oldest
      missed = null
    },
    rows: (fromStart: number, toStart: number) => state.range(bytes, fromStart, toStart),
    add(start: number, before: unknown, beforeTime: number): void {
      if (start + differenceMs < oldestEnd) {
        missed ??= []
        missed.push(window(start))
        return
      }
      const after = accumulator.add(before, value, key)
      const time = before === null ? update.timestamp : Math.max(update.timestamp, beforeTime)
      if (after === null) state.delete(bytes, start, 0)
      else state.put(bytes, start, 0, after, time)
      send(start, after, before, time)
    },
    addFirst(start: number): void {
      update.add(start, accumulator.start(), update.timestamp)
    },
    copy(start: number, copied: unknown, timestamp: number): void {
      state.put(bytes, start, 0, copied, timestamp)
      send(start, copied, null, timestamp)
    },
    missed: () => missed,
  }
  return update

  function send(start: number, after: unknown, before: unknown, time: number): void {
    if (!emits) return
    const { result } = accumulator
    forward(window(start), result(after, key), sendsOld ? result(before, key) : undefined, time)
  }

  function window(start: number): Windowed<unknown> {
    return { key, start, end: start + differenceMs }
  }
}
