import type { Serde } from '../serde/serde.ts'
import type { Where } from '../topology/nodes.ts'
import type { Step } from './step.ts'

/** The step with its records brought to the tasks of their keys: as it is, or behind an exchange where keys changed. */
export function exchanged(step: Step, key: Serde<unknown>, where: Where | null, nullKeys = false): Step {
  const { draft, value, rekeyed } = step
  if (!rekeyed) return { ...step, key }
  const node = draft.add({ kind: 'exchange', where, key, value, nullKeys, changes: false, published: null }, [
    step.node,
  ])
  return { ...step, node, key, rekeyed: false }
}
