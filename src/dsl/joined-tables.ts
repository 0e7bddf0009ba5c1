import type { Serde } from '../serde/serde.ts'
import { innerSerde } from '../serde/windowed/windowed-serde.ts'
import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { StoreRef, Where } from '../topology/nodes.ts'
import { known } from './known.ts'
import { sameJob } from './same-job.ts'
import type { Step } from './step.ts'

type TableTableJoin = SettingsOf<'table-table-join'>

/** The step of the join of two tables by key; with a name, its results are kept in a store. */
export function joinedTables(
  left: Step,
  right: Step,
  how: TableTableJoin['how'],
  joiner: TableTableJoin['joiner'],
  where: Where | null,
  name: string | undefined,
  serde: Serde<unknown> | undefined,
): Step {
  const other = sameJob(left, right, where)
  if (left.key !== null && other.key !== null && left.key.format !== other.key.format) {
    throw invalidJob(
      where,
      `one table has ${left.key.format} keys, and the other ${other.key.format} ones`,
      innerSerde(left.key) === undefined || innerSerde(other.key) === undefined
        ? 'Equal keys have to be equal bytes: give both topics the same key serde.'
        : 'Equal keys have to be equal bytes: give both tables windows of one kind and size, over keys with one serde.',
    )
  }
  const store = name === undefined ? null : storeOf(name, left, serde, where)
  const settings: TableTableJoin = { kind: 'table-table-join', where, how, joiner, store }
  const node = left.draft.add(settings, [left.node, other.node], name ?? null)
  return { ...left, node, value: serde ?? null }
}

function storeOf(name: string, { key }: Step, serde: Serde<unknown> | undefined, where: Where | null): StoreRef {
  const given = checkedName(name, 'a store', where)
  return {
    name: given,
    key: known(key, `the serde of the keys of ${given}`, where),
    value: known(serde, `the serde of the values of ${given}`, where),
  }
}
