import type { Duration } from '../core/duration.ts'
import { buffered } from '../serde/buffered.ts'
import type { Serde } from '../serde/serde.ts'
import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { StoreRef, Where } from '../topology/nodes.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { sameJob } from './same-job.ts'
import { spanMs } from './span.ts'
import type { Step } from './step.ts'

type Joiner = SettingsOf<'stream-table-join'>['joiner']

/** The step of a stream joined with a table by key. */
export function joinedWithTable(
  stream: Step,
  table: Step,
  joiner: Joiner,
  left: boolean,
  where: Where | null,
  name?: string,
  grace?: GraceOptions,
): Step {
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
  const waits = grace === undefined ? NO_WAIT : waiting(name, key, stream, grace, where)
  const settings = { kind: 'stream-table-join', where, left, joiner, key, ...waits } as const
  return { ...step, node: step.draft.add(settings, [step.node, other.node], waits.store?.name ?? null), value: null }
}

/** How the records of a stream wait before they are joined with a versioned table. */
export interface GraceOptions {
  readonly grace: Duration
  readonly serde?: Serde<unknown>
}

interface Waiting {
  readonly graceMs: number | null
  readonly store: StoreRef | null
}

const NO_WAIT: Waiting = { graceMs: null, store: null }

function waiting(
  name: string | undefined,
  key: Serde<unknown>,
  { value }: Step,
  { grace, serde }: GraceOptions,
  where: Where | null,
): Waiting {
  const given = checkedName(name, 'a store', where)
  const values = known(serde ?? value, `the serde of the values of ${given}`, where)
  const store = { name: given, key, value: buffered(values), shape: 'key-time', rows: 'waiting records' } as const
  return { graceMs: spanMs(grace, 'grace'), store }
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
