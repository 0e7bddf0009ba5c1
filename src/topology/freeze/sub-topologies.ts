import type { Node } from '../nodes.ts'
import { storesOf } from '../stores-of.ts'
import type { SubTopology } from '../topology.ts'

/**
 * The parts that meet without an exchange, in the order of their first nodes. An exchange belongs to what follows it. Who
 * reads a global table does not meet it.
 * A part is named by its first source, exchange or store.
 */
export function subTopologies(nodes: readonly Node[]): readonly SubTopology[] {
  const roots = nodes.map(({ id }) => id)
  const root = (id: number): number => (roots[id] === id || roots[id] === undefined ? id : root(roots[id]))
  for (const { kind, id, parents } of nodes) {
    if (kind === 'exchange') continue
    const all = [id, ...parents.filter((parent) => !isGlobal(nodes[parent]))].map(root)
    for (const each of all) roots[each] = Math.min(...all)
  }
  const parts = nodes.filter(({ id }) => root(id) === id).map(({ id }) => nodes.filter((node) => root(node.id) === id))
  return parts.map((part) => ({
    name: part.map(ownName).find((name) => name !== undefined) ?? part[0]?.name ?? '',
    nodes: part.map(({ id }) => id),
    stores: part.flatMap(storeNames),
  }))
}

function ownName(node: Node): string | undefined {
  if (node.kind === 'stream-source' || node.kind === 'table-source') return node.topic.name
  if (node.kind === 'exchange') return node.published?.name ?? node.name
  return storeNames(node)[0]
}

function isGlobal(node: Node | undefined): boolean {
  return node !== undefined && 'global' in node && node.global === true
}

function storeNames(node: Node): readonly string[] {
  return storesOf(node).map(({ name }) => name)
}
