import type { Node } from '../../topology/nodes.ts'

/**
 * Which tables give the value before along with the new one, by node id. A regrouping asks for it, and a join for a side
 * that has results without the other one; a filter takes it where it costs nothing, so as not to send tombstones for rows
 * that nobody has. The asking goes up to the nearest tables that keep their rows. (Kafka Streams: `enableSendingOldValues`.)
 */
export function oldValuesOf(nodes: readonly Node[]): readonly boolean[] {
  const sends: boolean[] = nodes.map(() => false)
  for (const node of nodes) {
    switch (node.kind) {
      case 'table-filter':
        sends[node.id] ||= offers(node.parents[0]) && ask(node.parents[0])
        break
      case 'table-table-join':
        if (node.how !== 'inner') ask(node.parents[0])
        if (node.how === 'outer') ask(node.parents[1])
        break
      case 'table-group-by':
      case 'foreign-key-subscribe':
      case 'suppress':
        ask(node.parents[0])
        break
      case 'foreign-key-lookup':
        ask(node.parents[1])
        break
      default:
    }
  }
  return sends

  /** True where the table can give old values; from then on it does. */
  function ask(id: number | undefined): boolean {
    const table = id === undefined ? undefined : nodes[id]
    if (table === undefined) return false
    if (sends[table.id] !== true) sends[table.id] = givesOld(table)
    return sends[table.id] === true
  }

  function givesOld(table: Node): boolean {
    // what a join sends before is made of what both sides send before; it needs their rows, so they can
    if (table.kind === 'table-table-join') return table.parents.map(ask).every((gives) => gives)
    return keepsRows(table) || (derivesRows(table) && ask(table.parents[0]))
  }

  /** True where old values cost nothing. A source that is kept only because of another step offers none. */
  function offers(id: number | undefined): boolean {
    const table = id === undefined ? undefined : nodes[id]
    if (table === undefined) return false
    if (table.kind === 'table-source') return table.store !== null && table.store.name === table.name
    return keepsRows(table) || table.kind === 'table-table-join' || (derivesRows(table) && offers(table.parents[0]))
  }
}

function derivesRows(node: Node): boolean {
  return node.kind === 'table-filter' || node.kind === 'table-map-values' || node.kind === 'suppress'
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
    case 'foreign-key-join':
      return node.store !== null
    default:
      return false
  }
}
