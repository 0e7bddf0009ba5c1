import type { StoreIdentity } from '../../ports/state-file.ts'
import type { Node, StoreRef } from '../../topology/nodes.ts'
import { storesOf } from '../../topology/stores-of.ts'
import type { Topology } from '../../topology/topology.ts'

/** The stores of a topology, in its order. */
export function storeIdentities(topology: Topology): readonly StoreIdentity[] {
  return topology.nodes.flatMap((node) => storesOf(node).map((store) => identityOf(node, store)))
}

export function hasStores(topology: Topology): boolean {
  return topology.nodes.some((node) => storesOf(node).length > 0)
}

function identityOf(node: Node, store: StoreRef): StoreIdentity {
  const { name, key, value, rows, shape = 'key-value' } = store
  const aggregate = 'aggregate' in node && node.store === store ? `${node.aggregate.format}, ` : ''
  const detail = rows === undefined ? '' : `, ${rows}`
  return { name, shape, format: `${aggregate}key ${key.format}, value ${value.format}${detail}` }
}
