import type { ByteString } from '../../core/bytes.ts'
import type { TableSourceNode, ToTableNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Process } from '../operator.ts'
import { OUT_OF_ORDER } from '../out-of-order.ts'
import { skipped } from '../skipped.ts'
import type { Step } from '../step.ts'
import { Versions } from './versions.ts'

/** Puts a record into its store and gives what to send in the place of the value before; false where it is too old. */
type Put = (key: ByteString, value: unknown, timestamp: number) => unknown

/**
 * Keeps records as rows of the node's store and passes each on as an update. Null keys are skipped and counted, and so
 * are updates that are older than the history of a versioned table.
 */
export function tableUpdate(node: TableSourceNode | ToTableNode, step: Step): Process {
  const { context, forward } = step
  const { store } = node
  if (store === null) throw new Error(`the table ${node.name} has no store`)
  const keyBytes = keyBytesOf(node.id, step, store.key)
  const put = node.history === undefined ? latestPut(store.name, step) : versionedPut(node, step)
  return (key, value, _old, timestamp) => {
    if (key === null) {
      skipped(context, node.name, 'null-key')
      return
    }
    const old = put(keyBytes(key), value, timestamp)
    if (old === false) skipped(context, node.name, 'expired')
    else forward(key, value, old, timestamp)
  }
}

function latestPut(store: string, { context, sendsOld }: Step): Put {
  const state = context.keyValue(store)
  return (key, value, timestamp) => {
    const old = sendsOld ? (state.get(key)?.value ?? null) : undefined
    if (value === null) state.delete(key)
    else state.put(key, value, timestamp)
    return old
  }
}

function versionedPut({ name, store, history }: TableSourceNode | ToTableNode, { context, sendsOld }: Step): Put {
  if (store === null || history === undefined) throw new Error(`the table ${name} has no history`)
  const versions = new Versions(context, name, store, history)
  return (key, value, timestamp) => {
    const old = sendsOld ? (versions.latest(key)?.value ?? null) : undefined
    const outcome = versions.put(key, value, timestamp)
    if (outcome === 'expired') return false
    return outcome === 'older' ? OUT_OF_ORDER : old
  }
}
