import type { DraftNode } from '../draft.ts'
import type { Node } from '../nodes.ts'
import type { Topology } from '../topology.ts'
import { deepFrozen } from './deep-frozen.ts'
import { nodeNames } from './node-names.ts'
import { inOrder } from './order.ts'
import { withPublishedExchanges } from './published.ts'
import { withNeededStores } from './stores.ts'
import { subTopologies } from './sub-topologies.ts'
import { validate } from './validate.ts'

/**
 * The topology of a draft, as frozen data. Throws JOB_INVALID, naming file and line, for names used twice, a topic read in
 * two ways, a step without a source, and the like.
 */
export function freeze(draft: readonly DraftNode[]): Topology {
  const ordered = inOrder(withNeededStores(withPublishedExchanges(draft)))
  const names = nodeNames(ordered)
  const nodes = ordered.map(
    ({ id, parents, settings }): Node => ({ ...settings, id, parents, name: names[id] ?? String(id) }),
  )
  validate(nodes)
  return deepFrozen({ nodes, subTopologies: subTopologies(nodes) })
}
