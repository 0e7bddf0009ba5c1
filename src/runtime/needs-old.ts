import type { Node } from '../topology/nodes.ts'

/**
 * Which tables give the value before along with the new one, by node id. A regrouping asks for it, and a join for a side
 * that has results without the other one; a filter takes it where it costs nothing, so as not to send tombstones for rows
 * that nobody has. The asking goes up to the nearest tables that keep their rows. (Kafka Streams calls it `enableSendingOldValues`.)
 */
export function oldValuesOf(nodes: readonly Node[]): readonly boolean[] {
  const sends: boolean[] = nodes.map(() => false)
  for (const node of nodes) {
    if (node.kind === 'table-filter' && ask(node.parents[0])) sends[node.id] = true
    if (node.kind === 'table-group-by') ask(node.parents[0])
    if (node.kind === 'table-table-join' && node.how !== 'inner') ask(node.parents[0])
    if (node.kind === 'table-table-join' && node.how === 'outer') ask(node.parents[1])
  }
  return sends

  /** True where the table can give old values; from then on it does. */
  function ask(id: number | undefined): boolean {
    const table = id === undefined ? undefined : nodes[id]
    if (table === undefined) return false
    if (sends[table.id] !== true) sends[table.id] = giveOld(table)
    return sends[table.id] === true
  }

  function giveOld(table: Node): boolean {
    // what a join sends before is made of what both sides send before; it needs their rows, so they can
    if (table.kind === 'table-table-join') return [...table.parents].map(ask).every((gives) => gives)
    return keepsRows(table) || (derivesRows(table) && ask(table.parents[0]))
  }
}

function derivesRows(node: Node): boolean {
  return node.kind === 'table-filter' || node.kind === 'table-map-values'
}

function keepsRows(node: Node): boolean {
  switch (node.kind) {
    case 'to-table':
    case 'aggregate':
    case 'windowed-aggregate':
    case 'table-aggregate':
      return true
    case 'table-source':
    case 'table-filter':
    case 'table-map-values':
      return node.store !== null
    default:
      return false
  }
}
