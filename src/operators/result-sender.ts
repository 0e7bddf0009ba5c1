import type { Node, StoreRef } from '../topology/nodes.ts'
import { keyBytesOf } from './bytes-of.ts'
import type { Process } from './operator.ts'
import type { Step } from './step.ts'

/** Keeps a table's result, where its node has a store, and passes it on. */
export function resultSender(node: Node & { readonly store: StoreRef | null }, step: Step): Process {
  const { context, forward } = step
  const { store } = node
  if (store === null) return forward
  const state = context.keyValue(store.name)
  const keyBytes = keyBytesOf(node.id, step, store.key)
  return (key, value, old, timestamp) => {
    const bytes = keyBytes(key)
    if (value === null) state.delete(bytes)
    else state.put(bytes, value, timestamp)
    forward(key, value, old, timestamp)
  }
}
