import { unreachable } from '../core/errors.ts'
import type { StoreRow } from '../ports/store-table.ts'
import type { Node, StoreRef } from '../topology/nodes.ts'

/** Where the window of a row begins and ends, epoch ms; of a row of a history: from when, and up to when, it was valid. */
export interface StoredWindow {
  readonly start: number
  readonly end: number
}

/** How the rows of a store tell their windows; null for a store without windows. */
export function storedWindows(node: Node, store: StoreRef): ((row: StoreRow) => StoredWindow) | null {
  if ('history' in node && node.history === store) return ({ time, ordinal }) => ({ start: ordinal, end: time })
  if (node.kind === 'process') return declaredWindows(node, store)
  if (node.kind === 'suppress') return null
  if (node.kind !== 'windowed-aggregate' || node.store !== store) return null
  const { windows } = node
  switch (windows.kind) {
    case 'time':
      return ({ time }) => ({ start: time, end: time + windows.sizeMs })
    case 'sliding':
      return ({ time }) => ({ start: time, end: time + windows.differenceMs })
    case 'session':
      return ({ time, ordinal }) => ({ start: ordinal, end: time })
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
