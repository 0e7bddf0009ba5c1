import { decodeKey } from '../../serde/serde.ts'
import type { StreamStreamJoinNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Operator, Process } from '../operator.ts'
import { unmatched as countUnmatched, skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { addArrival } from './arrivals.ts'
import { joinerOf } from './joiner.ts'
import { Unmatched } from './unmatched.ts'
import type { UnmatchedRow } from './unmatched-rows.ts'

/**
 * Joins two streams by key, within a span of time. Each record meets those of the other side that came before it; the
 * result has the later time of both. A record of a left or outer join that meets none waits for one, if that may still
 * come in time, and goes out with null otherwise, with its own time.
 *
 *     right ones that match a left one:   ──[t - before ──── t ──── t + after]── grace ──┤ goes out unmatched
 *
 * Stream time is the greatest of both sides, in this task; records without key or value move it too. A side keeps its
 * records while their time > (the greatest time that it has kept) - (before + after + grace).
 */
export function streamStreamJoin(node: StreamStreamJoinNode, step: Step): Operator {
  const { context, forward } = step
  const time = context.streamTime(node.name)
  const join = joinerOf(node, step)
  const [left] = node.sides
  const unmatched = new Unmatched(node, context, emitUnmatched)
  const fromLeft = sideOf(node, step, 0, unmatched)
  const timed = {
    advanceTime: (timestamp: number) => {
      if (time.advance(timestamp)) unmatched.emitAllDue()
    },
    latestClose: () => {
      const close = unmatched.latestClose()
      return close > time.value ? close : -1
    },
  }
  const operator = { process: fromLeft, inputs: [fromLeft, sideOf(node, step, 1, unmatched)] }
  return node.how === 'inner' ? operator : { ...operator, timed }

  function emitUnmatched({ side, row }: UnmatchedRow): void {
    const key = decodeKey(left.store.key, row.key)
    countUnmatched(context, node.name)
    forward(key, side === 0 ? join(row.value, null, key) : join(null, row.value, key), undefined, row.time)
  }
}

function sideOf(node: StreamStreamJoinNode, step: Step, side: 0 | 1, unmatched: Unmatched): Process {
  const { context, forward } = step
  const { name, how, sides, windows } = node
  const time = context.streamTime(name)
  const own = context.keyTime(sides[side].store.name)
  const other = context.keyTime(sides[side === 0 ? 1 : 0].store.name)
  const keyBytes = keyBytesOf(node.id, step, sides[side].store.key)
  const joiner = joinerOf(node, step)
  const join = (one: unknown, two: unknown, key: unknown) =>
    side === 0 ? joiner(one, two, key) : joiner(two, one, key)
  const [behindMs, aheadMs] = side === 0 ? [windows.beforeMs, windows.afterMs] : [windows.afterMs, windows.beforeMs]
  const goesAlone = side === 0 ? how !== 'inner' : how === 'outer'

  return (key, value, _old, timestamp) => {
    time.advance(timestamp)
    if (key === null || value === null) {
      if (goesAlone && value !== null) goAlone(null, value, timestamp)
      else skipped(context, name, key === null ? 'null-key' : 'null-value')
      return
    }
    const bytes = keyBytes(key)
    if (how !== 'inner' && timestamp === time.value) unmatched.emitDue(aheadMs)
    const rows = other.range(bytes, Math.max(0, timestamp - behindMs), timestamp + aheadMs + 1)
    for (const row of rows) {
      unmatched.matched(side === 0 ? 1 : 0, bytes, row.time)
      forward(key, join(value, row.value, key), undefined, Math.max(timestamp, row.time))
    }
    if (rows.length === 0 && goesAlone) {
      if (timestamp + aheadMs < time.value) goAlone(key, value, timestamp)
      else unmatched.add(side, bytes, timestamp, value)
    }
    addArrival(own, bytes, timestamp, value)
  }
  function goAlone(key: unknown, value: unknown, timestamp: number): void {
    countUnmatched(context, name)
    forward(key, join(value, null, key), undefined, timestamp)
  }
}
