import type { Serde } from '../serde/serde.ts'
import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { JoinWindows } from '../topology/join-windows.ts'
import { checkedName } from '../topology/names.ts'
import type { JoinSide, StoreRef, Where } from '../topology/nodes.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { sameJob } from './same-job.ts'
import type { Step } from './step.ts'

type StreamStreamJoin = SettingsOf<'stream-stream-join'>

/** The serdes of the values that a join of streams keeps, where they are not known. */
export interface JoinedSerdes {
  readonly left?: Serde<unknown>
  readonly right?: Serde<unknown>
}

/** The step of the join of two streams by key, within windows, in stores named after `name`. */
export function joinedStreams(
  one: Step,
  two: Step,
  how: StreamStreamJoin['how'],
  joiner: StreamStreamJoin['joiner'],
  windows: JoinWindows,
  name: string,
  serdes: JoinedSerdes,
  where: Where | null,
): Step {
  const given = checkedName(name, 'a join', where)
  const key = known(one.key, `the serde of the keys of ${given}`, where)
  const otherKey = known(sameJob(one, two, where).key, `the serde of the keys of ${given}`, where)
  if (key.format !== otherKey.format) {
    throw invalidJob(
      where,
      `one stream has ${key.format} keys, and the other ${otherKey.format} ones`,
      'Equal keys have to be equal bytes: give both the same serde.',
    )
  }
  const values = [
    known(serdes.left ?? one.value, `the serde of the left values of ${given}`, where),
    known(serdes.right ?? two.value, `the serde of the right values of ${given}`, where),
  ] as const
  const left = exchanged({ ...one, value: values[0] }, key, where, how !== 'inner')
  const right = exchanged({ ...two, value: values[1] }, key, where, how !== 'inner')
  const sides = [
    sideOf(`${given}-left`, key, values[0], windows, how !== 'inner'),
    sideOf(`${given}-right`, key, values[1], windows, how === 'outer'),
  ] as const
  const settings: StreamStreamJoin = { kind: 'stream-stream-join', where, how, joiner, windows, sides }
  return { ...left, node: left.draft.add(settings, [left.node, right.node], given), value: null }
}

function sideOf(
  name: string,
  key: Serde<unknown>,
  value: Serde<unknown>,
  { beforeMs, afterMs, graceMs }: JoinWindows,
  waits: boolean,
): JoinSide {
  const rows = `join of ${beforeMs} ms before, ${afterMs} ms after`
  // at least 1: equal times match even where the windows have no width
  const retentionMs = Math.max(1, beforeMs + afterMs + graceMs)
  const store: StoreRef = { name, key, value, retentionMs, shape: 'key-time', rows }
  return { store, unmatched: waits ? { name: `${name}-unmatched`, key, value, shape: 'key-time', rows } : null }
}
