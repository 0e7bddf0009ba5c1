import type { ByteString } from '../../core/bytes.ts'
import type { Windowed } from '../../core/windowed.ts'
import type { Suppressed } from '../../serde/suppressed-serde.ts'
import type { SuppressNode } from '../../topology/nodes.ts'
import type { Step } from '../step.ts'

/** A change that is held back, with the time that decides when it goes. */
export interface HeldBack {
  readonly key: ByteString
  /** Time in the buffer, epoch ms. */
  readonly time: number
  readonly change: Suppressed
  /** The change's own time, epoch ms. */
  readonly timestamp: number
  /** The task that holds it back, where it is not sure to be this one. */
  readonly task?: number | undefined
}

/** What a suppression holds back in one task: one change a key, by time in the buffer, then key. */
export interface SuppressBuffer {
  find(bytes: ByteString, key: unknown): HeldBack | undefined
  /** `time` is that of the change that is there already, where there is one. */
  put(bytes: ByteString, time: number, change: Suppressed, timestamp: number): void
  delete(bytes: ByteString, time: number): void
  /** All from `fromTime` on, in order. What was given may be deleted meanwhile. */
  scan(fromTime: number): IterableIterator<HeldBack>
  /** The greatest time ever put, or -1. */
  latestTime(): number
}

/**
 * The buffer of a node. Where windows close, the time is a window's end, known from the key: rows by (end, key). Where a
 * time limit decides, it is that of the first change: rows by (key, time), with an index on time.
 */
export function suppressBuffer(node: SuppressNode, step: Step): SuppressBuffer {
  return node.until === 'window-close' ? windowBuffer(node, step) : timeBuffer(node, step)
}

function windowBuffer({ store }: SuppressNode, { context }: Step): SuppressBuffer {
  const state = context.window(store.name)
  return {
    find(bytes, key) {
      const time = (key as Windowed<unknown>).end
      const entry = state.get(bytes, time)
      if (entry === undefined) return undefined
      const { value, timestamp, task } = entry
      return { key: bytes, time, change: value as Suppressed, timestamp, task }
    },
    put: (bytes, time, change, timestamp) => state.put(bytes, time, change, timestamp),
    delete: (bytes, time) => state.delete(bytes, time),
    *scan(fromTime) {
      for (const { key, start: time, value, timestamp } of state.scan(fromTime, Number.MAX_SAFE_INTEGER)) {
        yield { key, time, change: value as Suppressed, timestamp }
      }
    },
    latestTime: () => state.latestStart(),
  }
}

function timeBuffer({ store }: SuppressNode, { context }: Step): SuppressBuffer {
  const state = context.keyTime(store.name)
  return {
    find(bytes) {
      const [row] = state.range(bytes, 0, Number.POSITIVE_INFINITY)
      if (row === undefined) return undefined
      const { time, value, timestamp, task } = row
      return { key: bytes, time, change: value as Suppressed, timestamp, task }
    },
    put: (bytes, time, change, timestamp) => state.put(bytes, time, 0, change, timestamp),
    delete: (bytes, time) => state.delete(bytes, time, 0),
    *scan(fromTime) {
      for (const { key, time, value, timestamp } of state.scan(fromTime, Number.MAX_SAFE_INTEGER)) {
        yield { key, time, change: value as Suppressed, timestamp }
      }
    },
    latestTime: () => state.latestTime(),
  }
}
