import { checkedName } from '../../topology/names.ts'
import type { ProcessNode } from '../../topology/nodes.ts'
import type { Step } from '../step.ts'
import { whereOfCall } from '../where-of-call.ts'
import { declaredStores } from './declared-stores.ts'
import type { StoreSpecs } from './store-spec.ts'

/** Adds a processor of the user's behind a stream. */
export function processedStep(
  step: Step,
  name: string,
  specs: StoreSpecs,
  init: ProcessNode['init'],
  keepsKeys: boolean,
): Step {
  const where = whereOfCall()
  const given = checkedName(name, 'a processor', where)
  const declared = declaredStores(specs, where)
  return { ...step, node: step.draft.add({ kind: 'process', where, keepsKeys, declared, init }, [step.node], given) }
}
