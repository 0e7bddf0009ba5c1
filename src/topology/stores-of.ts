import type { Node, StoreRef } from './nodes.ts'

/** The stores of a node, in the order in which they are made; most nodes have one or none. */
export function storesOf(node: Node): readonly StoreRef[] {
  const store = 'store' in node ? node.store : null
  const history = 'history' in node ? node.history : undefined
  const sides = 'sides' in node ? node.sides.flatMap(({ store, unmatched }) => [store, unmatched]) : []
  const declared = 'declared' in node ? node.declared.flatMap(({ store, history }) => [store, history]) : []
  return [store, history, ...sides, ...declared].filter((each) => each !== null && each !== undefined)
}
