import type { Windowed } from '../../core/windowed.ts'
import { decodeKey } from '../../serde/serde.ts'
import type { SuppressNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator } from '../operator.ts'
import type { Step } from '../step.ts'
import { type HeldBack, suppressBuffer } from './suppress-buffer.ts'
import { suppressSize } from './suppress-size.ts'

/**
 * Holds a table's changes back until time has passed: until windows close, their ends and the grace; until a time limit,
 * the first change of a key and the limit. Only the last change of each key goes out, with its own time and headers, in
 * the order of the times in the buffer, then of keys. Time is the greatest timestamp of a change that has come here.
 * Where windows close, deletes are left out: nobody has seen what they delete.
 */
export function suppress(node: SuppressNode, step: Step): Operator {
  const { context, forward, sendsOld } = step
  const { waitMs } = node
  const finals = node.until === 'window-close'
  const time = context.streamTime(node.name)
  const keyBytes = keyBytesOf(node.id, step, node.store.key)
  const buffer = suppressBuffer(node, step)
  const size = suppressSize(node, buffer, step)
  /** No change is held back with a time before this. */
  let oldest = 0

  return {
    process: (key, value, old, timestamp) => {
      time.advance(timestamp)
      const bytes = keyBytes(key)
      const held = buffer.find(bytes, key)
      const bufferTime = held?.time ?? (finals ? (key as Windowed<unknown>).end : timestamp)
      const before = old ?? null
      const prior = held === undefined ? before : held.change.prior
      const change = { value, old: before, prior, headers: context.record.headers }
      buffer.put(bytes, bufferTime, change, timestamp)
      size.put(bytes, change, held)
      if (bufferTime < oldest) oldest = bufferTime
      emitDue()
    },
    timed: {
      advanceTime: (timestamp) => {
        time.advance(timestamp)
        emitDue()
      },
      latestClose: () => {
        const end = finals ? buffer.latestTime() : -1
        return end >= 0 && end + waitMs > time.value ? end + waitMs : -1
      },
    },
  }

  function emitDue(): void {
    const due = time.value - waitMs
    if (oldest > due && !size.isExceeded()) return
    for (const held of buffer.scan(oldest)) {
      oldest = held.time
      if (held.time > due && !size.isExceeded()) return
      emit(held)
      buffer.delete(held.key, held.time)
      size.taken(held.key, held.change)
    }
    oldest = Number.POSITIVE_INFINITY
  }

  function emit({ key: bytes, change, timestamp }: HeldBack): void {
    if (finals && change.value === null) return
    const { record } = context
    const { headers } = record
    record.headers = change.headers
    forward(decodeKey(node.store.key, bytes), change.value, sendsOld ? change.old : undefined, timestamp)
    record.headers = headers
  }
}
