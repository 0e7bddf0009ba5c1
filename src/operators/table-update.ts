import type { Node, StoreRef } from '../topology/nodes.ts'
import { keyBytesOf } from './bytes-of.ts'
import type { Process } from './operator.ts'
import { skipped } from './skipped.ts'
import type { Step } from './step.ts'

/** Keeps records as rows of a store and passes each on as an update. Null keys are skipped and counted. */
export function tableUpdate(node: Node, store: StoreRef, step: Step): Process {
  const { context, forward, sendsOld } = step
  const state = context.keyValue(store.name)
  const keyBytes = keyBytesOf(node.id, step, store.key)
  return (key, value, _old, timestamp) => {
    if (key === null) {
      skipped(context, node.name, 'null-key')
      return
    }
    const bytes = keyBytes(key)
    const old = sendsOld ? (state.get(bytes)?.value ?? null) : undefined
    if (value === null) state.delete(bytes)
    else state.put(bytes, value, timestamp)
    forward(key, value, old, timestamp)
  }
}
