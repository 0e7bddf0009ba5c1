import type { Serde } from '../serde/serde.ts'
import type { Where } from '../topology/nodes.ts'
import type { Step } from './step.ts'

/** The step with its records brought to the tasks of their keys: as it is, or behind an exchange where keys changed. */
export function exchanged(step: Step, key: Serde<unknown>, where: Where | null, nullKeys = false): Step {
  const { rekeyed } = step
  if (!rekeyed) return { ...step, key }
  return throughExchange(step, key, where, nullKeys, null)
}

/** The step behind an exchange of this name, whether or not its keys were changed. */
export function exchangedAs(name: string, step: Step, key: Serde<unknown>, where: Where | null): Step {
  return throughExchange(step, key, where, false, name)
}

function throughExchange(
  step: Step,
  key: Serde<unknown>,
  where: Where | null,
  nullKeys: boolean,
  name: string | null,
): Step {
  const { draft, value } = step
  const settings = { kind: 'exchange', where, key, value, nullKeys, changes: false, published: null } as const
  return { ...step, node: draft.add(settings, [step.node], name), key, rekeyed: false }
}
