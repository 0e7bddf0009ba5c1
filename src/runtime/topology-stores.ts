import type { StoreIdentity } from '../ports/state-file.ts'
import type { Node, StoreRef } from '../topology/nodes.ts'
import { storesOf } from '../topology/stores-of.ts'
import type { Topology } from '../topology/topology.ts'

/** The stores of a topology, in its order. */
export function storeIdentities(topology: Topology): readonly StoreIdentity[] {
  return topology.nodes.flatMap((node) => storesOf(node).map((store) => identityOf(node, store)))
}

export function hasStores(topology: Topology): boolean {
  return topology.nodes.some((node) => storesOf(node).length > 0)
}

function identityOf(node: Node, store: StoreRef): StoreIdentity {
  const serdes = `key ${store.key.format}, value ${store.value.format}`
  if (node.kind === 'windowed-aggregate') {
    const { sizeMs, advanceMs } = node.windows
    const format = `${node.aggregate.format}, ${serdes}, window ${sizeMs} ms every ${advanceMs} ms`
    return { name: store.name, shape: 'window', format }
  }
  const aggregate = 'aggregate' in node ? `${node.aggregate.format}, ` : ''
  return { name: store.name, shape: 'key-value', format: `${aggregate}${serdes}` }
}
