import type { Duration } from '../core/duration.ts'
import type { Aggregate } from '../topology/aggregate.ts'
import { checkedName } from '../topology/names.ts'
import type { Where } from '../topology/nodes.ts'
import type { WindowSpec } from '../topology/windows.ts'
import { aggregateOf } from './aggregate-spec.ts'
import { type CogroupInput, type CogroupParents, cogroupParents } from './cogroup-parents.ts'
import type { CogroupSpec } from './cogroup-spec.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { withRetention } from './retention.ts'
import { shownSerde } from './shown-serde.ts'
import type { Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'
import { windowStoreRef } from './window-store-ref.ts'
import { windowedKey } from './windowed-key.ts'

export interface WindowedOptions {
  /** Every update (default), or each window once, when it closes. */
  readonly emit?: 'on-update' | 'on-window-close'
  /** How long windows are kept: as long as they can be open at least. Default: that of the windows. */
  readonly retention?: Duration
}

/** Adds a windowed aggregate of a grouped stream. Gives the step of its table, and that of the grouped stream above it. */
export function windowedStep(
  step: Step,
  spec: WindowSpec,
  name: string,
  aggregate: Aggregate<unknown, unknown, unknown, unknown>,
  options: WindowedOptions,
): [table: Step, grouped: Step] {
  const where = whereOfCall()
  const given = checkedName(name, 'a store', where)
  const key = known(step.key, `the serde of the keys of ${given}`, where)
  const grouped = exchanged(step, key, where)
  const { draft, value, node } = grouped
  return [windowedTable({ draft, key, value, parents: [node] }, spec, given, aggregate, options, where), grouped]
}

/** Adds a windowed aggregate of several grouped streams, likewise. */
export function windowedCogroupStep(
  inputs: readonly CogroupInput[],
  spec: WindowSpec,
  name: string,
  // biome-ignore lint/suspicious/noExplicitAny: a node holds its callbacks untyped; the surface has checked them
  cogrouped: CogroupSpec<any, any, any>,
  options: WindowedOptions,
): [table: Step, grouped: Step] {
  const where = whereOfCall()
  const given = checkedName(name, 'a store', where)
  const parents = cogroupParents(inputs, given, where)
  const { draft, key, value, adders } = parents
  const aggregate = aggregateOf({ ...cogrouped, add: adders[0] })
  const grouped = { draft, node: parents.parents[0] ?? -1, key, value, rekeyed: false }
  return [windowedTable(parents, spec, given, aggregate, options, where), grouped]
}

function windowedTable(
  { draft, key, parents, adders }: Omit<CogroupParents, 'adders'> & Partial<CogroupParents>,
  spec: WindowSpec,
  given: string,
  aggregate: Aggregate<unknown, unknown, unknown, unknown>,
  { emit = 'on-update', retention }: WindowedOptions,
  where: Where | null,
): Step {
  const windows = retention === undefined ? spec : withRetention(spec, retention)
  const store = windowStoreRef(given, key, aggregate.serde, windows)
  const settings = { kind: 'windowed-aggregate', where, windows, emit, aggregate, store } as const
  const node = draft.add(adders === undefined ? settings : { ...settings, adders }, parents, given)
  const made = windowedKey(key, windows)
  return { draft, node, key: made, windowedKey: made, value: shownSerde(aggregate), rekeyed: false }
}
