import type { Node } from '../../topology/nodes.ts'
import { onlyReads } from '../../topology/only-reads.ts'

/** A way from a node to a child: `index` is the place of the node among the child's parents. */
export interface Edge {
  readonly child: number
  readonly index: number
}

/**
 * The ways that records take out of each node, by id: to children in the order in which they were made, to a child twice
 * where it says so. Steps that only read a table's rows are not among them.
 */
export function edgesOf(nodes: readonly Node[]): readonly (readonly Edge[])[] {
  const edges: Edge[][] = nodes.map(() => [])
  for (const node of nodes) {
    node.parents.forEach((parent, index) => {
      if (!onlyReads(node.kind, index)) edges[parent]?.push({ child: node.id, index })
    })
  }
  return edges
}
