import type { TableSinkNode } from '../../topology/nodes.ts'
import type { Topology } from '../../topology/topology.ts'

/** The table sinks whose topics this job alone writes, in the order of the topology. */
export function ownedSinks({ nodes }: Pick<Topology, 'nodes'>): readonly TableSinkNode[] {
  return nodes.filter((node): node is TableSinkNode => node.kind === 'table-sink' && node.owner)
}
