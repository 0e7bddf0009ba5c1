import type { Node, StoreRef } from './nodes.ts'

type Table = Pick<Node, 'kind' | 'parents'> & { readonly store?: StoreRef | null; readonly history?: StoreRef }

/**
 * The history of the table whose node `nodeOf(id)` gives: its own, or that of the table which it filters or maps without
 * a store of its own. Undefined where the table shows its latest rows only. (Kafka Streams: versioned upstream.)
 */
export function historyOf(nodeOf: (id: number) => Table | undefined, id: number): StoreRef | undefined {
  const table = nodeOf(id)
  if (table?.history !== undefined) return table.history
  const derived = table?.kind === 'table-filter' || table?.kind === 'table-map-values'
  const [parent] = table?.parents ?? []
  return derived && table.store === null && parent !== undefined ? historyOf(nodeOf, parent) : undefined
}
