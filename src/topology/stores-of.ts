import type { Node, StoreRef } from './nodes.ts'

/** The stores of a node, its own first. Empty where it keeps nothing. */
export function storesOf(node: Node): readonly StoreRef[] {
  const own = 'store' in node && node.store !== null ? [node.store] : []
  return 'stores' in node ? [...own, ...(node.stores as readonly StoreRef[])] : own
}
