import type { ByteString } from '../../core/bytes.ts'
import type { Buffered } from '../../serde/buffered.ts'
import { decodeKey } from '../../serde/serde.ts'
import type { StreamTableJoinNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator, Process } from '../operator.ts'
import { takeAll } from '../pieces.ts'
import type { KeyTimeRow } from '../state.ts'
import type { Step } from '../step.ts'

/**
 * Lets the records of a stream wait before they are joined, until stream time has passed theirs by the grace: so updates
 * of the table that come late are seen. Stream time is that of the records which waited. They are joined in the order of
 * time, then key, then arrival; one that is already later than the grace is joined at once, and so is one without key.
 */
export function withGrace(node: StreamTableJoinNode, step: Step, graceMs: number, join: Process): Operator {
  const { context } = step
  const { record } = context
  const { store, name, id } = node
  if (store === null) throw new Error(`the join ${name} has no store`)
  const waiting = context.keyTime(store.name)
  const time = context.streamTime(name)
  const keyBytes = keyBytesOf(id, step, store.key)
  /** No row waits that is older. Only saves looks at the store: at first it is not known. */
  let oldest = 0
  return {
    process: (key, value, old, timestamp) => {
      if (key === null || value === null || timestamp < time.value - graceMs) {
        join(key, value, old, timestamp)
        return
      }
      time.advance(timestamp)
      add(keyBytes(key), value, timestamp)
      emit()
    },
    timed: {
      advanceTime: (timestamp) => {
        if (time.advance(timestamp)) emit()
      },
      latestClose: () => {
        const close = waiting.latestTime() + graceMs
        return waiting.latestTime() >= 0 && close > time.value ? close : -1
      },
    },
  }

  function add(key: ByteString, value: unknown, timestamp: number): void {
    const before = waiting.range(key, timestamp, timestamp + 1).at(-1)
    const ordinal = before === undefined ? 0 : before.ordinal + 1
    waiting.put(key, timestamp, ordinal, { value, headers: record.headers }, timestamp)
    if (timestamp < oldest) oldest = timestamp
  }

  function emit(): void {
    const end = time.value - graceMs + 1
    if (end <= oldest) return
    const { headers } = record
    takeAll(() => waiting.scan(0, end), emitRow)
    record.headers = headers
    oldest = Number.POSITIVE_INFINITY
    for (const row of waiting.scan(end, Number.POSITIVE_INFINITY)) {
      oldest = row.time
      break
    }
  }

  function emitRow({ key, time: at, ordinal, value: waited }: KeyTimeRow): void {
    const { value, headers } = waited as Buffered<unknown>
    record.headers = headers
    join(decodeKey(node.key, key), value, undefined, at)
    waiting.delete(key, at, ordinal)
  }
}
