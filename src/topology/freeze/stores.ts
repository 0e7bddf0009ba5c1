import type { DraftNode } from '../draft.ts'
import { invalidJob } from '../invalid-job.ts'
import { storeOf } from './store-of.ts'

/**
 * Gives a table source a store where a later step reads it: a join looks the value up, a regrouping needs the value before.
 * Filters and mapped values without a store of their own are computed from the nearest store above them.
 */
export function withNeededStores(draft: readonly DraftNode[]): readonly DraftNode[] {
  const byId = new Map(draft.map((node) => [node.id, node]))
  const needed = new Set(draft.flatMap((node) => readTables(node)).map((id) => nearestStore(byId, id)))
  return draft.map((node) => {
    const { settings } = node
    if (settings.kind === 'foreign-key-join' && settings.store === null && needed.has(node.id)) throw notKept(node)
    if (settings.kind !== 'table-source' || settings.store !== null || !needed.has(node.id)) return node
    return { ...node, settings: { ...settings, store: storeOf(settings.topic) } }
  })
}

function notKept({ given, settings }: DraftNode): Error {
  return invalidJob(
    settings.where,
    `a later step needs the rows of the foreign-key join ${given}, and it does not keep them`,
    'Give it the serde of its results, as in join(other, foreignKey, joiner, name, { result: json() }).',
  )
}

/** The tables among a node's parents that it reads beside what they send. */
function readTables({ settings, parents }: DraftNode): readonly number[] {
  switch (settings.kind) {
    case 'stream-table-join':
    case 'stream-global-table-join':
    case 'foreign-key-lookup':
      return parents.slice(1)
    case 'table-table-join':
    case 'table-group-by':
    case 'foreign-key-subscribe':
    case 'suppress':
      return parents
    default:
      return []
  }
}

/** The table whose store answers for `id`. */
function nearestStore(byId: ReadonlyMap<number, DraftNode>, id: number): number {
  const node = byId.get(id)
  const computed =
    (node?.settings.kind === 'table-filter' || node?.settings.kind === 'table-map-values') &&
    node.settings.store === null
  const parent = node?.parents[0]
  return computed && parent !== undefined ? nearestStore(byId, parent) : id
}
