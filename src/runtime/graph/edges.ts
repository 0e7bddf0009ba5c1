import type { Node } from '../../topology/nodes.ts'

/** A way from a node to a child: `index` is the place of the node among the child's parents. */
export interface Edge {
  readonly child: number
  readonly index: number
}

/** The ways out of each node, by id: children in the order in which they were made, a child twice where it says so. */
export function edgesOf(nodes: readonly Node[]): readonly (readonly Edge[])[] {
  const edges: Edge[][] = nodes.map(() => [])
  for (const node of nodes) {
    node.parents.forEach((parent, index) => {
      edges[parent]?.push({ child: node.id, index })
    })
  }
  return edges
}
