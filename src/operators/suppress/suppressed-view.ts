import type { SuppressNode } from '../../topology/nodes.ts'
import { keyBytesOf } from '../bytes-of.ts'
import type { Step } from '../step.ts'
import type { TableView } from '../tables/table-view.ts'
import { suppressBuffer } from './suppress-buffer.ts'

/** The table behind a suppression: a key whose change is held back shows what it was before. */
export function suppressedView(node: SuppressNode, rows: TableView, reader: number, step: Step): TableView {
  const buffer = suppressBuffer(node, step)
  const keyBytes = keyBytesOf(reader, step, node.store.key)
  const view = {
    timestamp: -1,
    get: (key: unknown) => {
      const held = buffer.find(keyBytes(key), key)
      const value = held === undefined ? rows.get(key) : held.change.prior
      view.timestamp = held === undefined ? rows.timestamp : -1
      return value
    },
  }
  return view
}
