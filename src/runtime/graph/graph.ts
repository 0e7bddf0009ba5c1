import type { Node } from '../../topology/nodes.ts'
import type { Topology } from '../../topology/topology.ts'
import { type Needs, needsOf } from '../input/needs.ts'
import { type Edge, edgesOf } from './edges.ts'

/** A frozen topology with what a processor asks of it again and again. */
export interface Graph {
  readonly nodes: readonly Node[]
  /** The ways out of each node, by id. */
  readonly edges: readonly (readonly Edge[])[]
  /** The number of the sub-topology in which a node's records come out, by node id. */
  readonly partOf: readonly number[]
  /** The nodes of each sub-topology, parents first. An exchange belongs to what follows it. */
  readonly parts: readonly (readonly Node[])[]
  readonly needs: Needs
}

export function graphOf(topology: Topology): Graph {
  const { nodes, subTopologies } = topology
  const partOf = nodes.map((node) => subTopologies.findIndex((part) => part.nodes.includes(node.id)))
  const parts = subTopologies.map((part) => nodes.filter((node) => part.nodes.includes(node.id)))
  return { nodes, edges: edgesOf(nodes), partOf, parts, needs: needsOf(topology) }
}
