import type { Duration } from '../core/duration.ts'
import type { Aggregate } from '../topology/aggregate.ts'
import { checkedName } from '../topology/names.ts'
import type { WindowSpec } from '../topology/windows.ts'
import { exchanged } from './exchanged.ts'
import { known } from './known.ts'
import { withRetention } from './retention.ts'
import { shownSerde } from './shown-serde.ts'
import type { Step } from './step.ts'
import { whereOfCall } from './where-of-call.ts'
import { windowedKey } from './windowed-key.ts'
import { windowStore } from './window-store.ts'

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
  { emit = 'on-update', retention }: WindowedOptions,
): [table: Step, grouped: Step] {
  const where = whereOfCall()
  const given = checkedName(name, 'a store', where)
  const key = known(step.key, `the serde of the keys of ${given}`, where)
  const grouped = exchanged(step, key, where)
  const windows = retention === undefined ? spec : withRetention(spec, retention)
  const store = windowStore(given, key, aggregate.serde, windows)
  const settings = { kind: 'windowed-aggregate', where, windows, emit, aggregate, store } as const
  const node = grouped.draft.add(settings, [grouped.node], given)
  const made = windowedKey(key, windows)
  return [{ ...grouped, node, key: made, windowedKey: made, value: shownSerde(aggregate) }, grouped]
}
