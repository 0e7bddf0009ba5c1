import type { Duration } from '../core/duration.ts'
import type { Serde } from '../serde/serde.ts'
import { checkedName } from '../topology/names.ts'
import type { Where } from '../topology/nodes.ts'
import { exchanged } from './exchanged.ts'
import { historyStore } from './history-store.ts'
import { known } from './known.ts'
import type { SerdeFor, SerdeKnown } from './serde-known.ts'
import type { Step } from './step.ts'

/** How a stream becomes a versioned table; the serde of its values, where none is known. */
export type VersionedTableOptions<ValueSerde extends SerdeKnown, V> = {
  /** How long the table knows which value a key had when: updates older than this are left out. */
  readonly historyRetention: Duration
} & (ValueSerde extends 'serde' ? { readonly serde?: SerdeFor<V> } : { readonly serde: SerdeFor<V> })

/** The same without its types. */
export interface GivenTableOptions {
  readonly historyRetention: Duration
  readonly serde?: Serde<unknown>
}

/** The step of a stream read as changes of a table, in a store of this name. */
export function tableOfStream(
  stream: Step,
  name: string,
  options: Serde<unknown> | GivenTableOptions | undefined,
  where: Where | null,
): Step {
  const given = checkedName(name, 'a store', where)
  const versioned = options !== undefined && 'historyRetention' in options ? options : undefined
  const serde = options !== undefined && 'encode' in options ? options : versioned?.serde
  const key = known(stream.key, `the serde of the keys of ${given}`, where)
  const value = known(serde ?? stream.value, `the serde of the values of ${given}`, where)
  const step = exchanged(stream, key, where)
  const store = { name: given, key, value }
  const history = versioned === undefined ? {} : { history: historyStore(store, versioned.historyRetention) }
  return { ...step, node: step.draft.add({ kind: 'to-table', where, store, ...history }, [step.node], given), value }
}
