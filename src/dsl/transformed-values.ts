import type { Serde } from '../serde/serde.ts'
import { checkedName } from '../topology/names.ts'
import type { ProcessNode, Where } from '../topology/nodes.ts'
import type { ProcessorContext } from '../topology/processor/context.ts'
import { declaredStores } from './processor/declared-stores.ts'
import type { OpenedStores, StoreSpecs } from './processor/store-spec.ts'
import type { SerdeFor } from './serde-known.ts'
import type { Step } from './step.ts'
import { tableOfStream } from './to-table.ts'

/** What a transformer of a table's values declares: the serde of what it makes, and its stores by name. */
export interface TransformOptions<Stores extends StoreSpecs, V> {
  readonly value: SerdeFor<V>
  readonly stores?: Stores
}

/** Makes a transformer for one task, and gives back what makes a value of each change. */
export type TransformerInit<Stores extends StoreSpecs, K, V, R> = (
  context: ProcessorContext<OpenedStores<Stores>>,
) => (value: V, key: K) => R

// biome-ignore lint/suspicious/noExplicitAny: a node holds its callbacks untyped; the surface has checked them
export type AnyTransformerInit = TransformerInit<any, any, any, unknown>

interface GivenTransform {
  readonly name: string
  readonly stores: StoreSpecs
  readonly value: Serde<unknown>
  readonly init: AnyTransformerInit
}

/** The step of a table whose values a transformer makes: each change goes through it as a record, and into a table again. */
export function transformedValues(table: Step, given: GivenTransform, where: Where | null): Step {
  const { draft } = table
  const { stores, value, init } = given
  const name = checkedName(given.name, 'a store', where)
  const stream = draft.add({ kind: 'to-stream', where, mapper: null }, [table.node])
  const declared = declaredStores(stores, where)
  const settings = { kind: 'process', where, keepsKeys: true, declared, init: transformer(init) } as const
  const node = draft.add(settings, [stream], `${name}:process`)
  return tableOfStream({ ...table, node, value }, name, value, where)
}

function transformer(init: AnyTransformerInit): ProcessNode['init'] {
  return (context, forward) => {
    const transform = init(context)
    return ({ key, value }) => forward({ key, value: transform(value, key) })
  }
}
