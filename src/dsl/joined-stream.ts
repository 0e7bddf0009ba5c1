import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { sameJob } from './same-job.ts'
import type { Step } from './step.ts'

type Joiner = SettingsOf<'stream-table-join'>['joiner']

/** The step of a stream joined with a table by key. */
export function joinedWithTable(stream: Step, table: Step, joiner: Joiner, left: boolean, where: Where | null): Step {
  const other = sameJob(stream, table, where)
  const key = known(other.key, 'the serde of the keys of the table', where)
  const step = exchanged(stream, stream.key ?? key, where, left)
  if (step.key?.format !== key.format) {
    throw invalidJob(
      where,
      `the stream has ${step.key?.format} keys, and the table ${key.format} ones`,
      'Equal keys have to be equal bytes: give both the same serde.',
    )
  }
  const settings = { kind: 'stream-table-join', where, left, joiner, key } as const
  return { ...step, node: step.draft.add(settings, [step.node, other.node]), value: null }
}

/** The step of a stream joined with a global table by a key that `keyOf` makes of each record. */
export function joinedWithGlobalTable(
  stream: Step,
  table: Step,
  keyOf: SettingsOf<'stream-global-table-join'>['keyOf'],
  joiner: Joiner,
  left: boolean,
  where: Where | null,
): Step {
  const other = sameJob(stream, table, where)
  const settings = { kind: 'stream-global-table-join', where, left, keyOf, joiner } as const
  return { ...stream, node: stream.draft.add(settings, [stream.node, other.node]), value: null }
}
