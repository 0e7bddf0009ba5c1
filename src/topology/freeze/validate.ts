import { formatWhere, invalidJob } from '../invalid-job.ts'
import type { Node } from '../nodes.ts'
import { storesOf } from '../stores-of.ts'
import { historyOf } from '../versioned.ts'

/** Throws JOB_INVALID for what types cannot rule out. */
export function validate(nodes: readonly Node[]): void {
  if (!nodes.some(({ parents }) => parents.length === 0)) {
    throw invalidJob(null, 'the job reads no topic', 'Begin with stream(topic) or table(topic).')
  }
  oneWriterOfOwned(nodes)
  historyOfGraces(nodes)
  const names = new Map<string, Node>()
  const stores = new Map<string, Node>()
  for (const node of nodes) {
    unique(names, node.name, node, 'step')
    for (const store of storesOf(node)) unique(stores, store.name, node, 'store')
  }
}

function unique(seen: Map<string, Node>, name: string, node: Node, what: string): void {
  const other = seen.get(name)
  seen.set(name, node)
  if (other === undefined) return
  const before = other.where === null ? '' : ` (first at ${formatWhere(other.where)})`
  throw invalidJob(node.where, `two ${what}s are called ${name}${before}`, 'Give one of them another name.')
}

/** Who waits for late updates of a table needs to find what it was like before. */
function historyOfGraces(nodes: readonly Node[]): void {
  for (const node of nodes) {
    if (node.kind !== 'stream-table-join' || node.graceMs === null) continue
    const history = historyOf((id) => nodes[id], node.parents[1] ?? -1)
    if (history === undefined) {
      throw invalidJob(
        node.where,
        `the join ${node.name} has a grace, and its table is not versioned`,
        "Give the table a history, as in table(topic, 'name', { historyRetention: '1h' }).",
      )
    }
    if (node.graceMs <= (history.retentionMs ?? 0)) continue
    throw invalidJob(
      node.where,
      `the join ${node.name} waits longer than its table's history lasts`,
      'Make the historyRetention of the table at least as long as the grace.',
    )
  }
}

/** An owned topic is compared with the table that is written to it, so nothing else may be. */
function oneWriterOfOwned(nodes: readonly Node[]): void {
  const sinks = nodes.filter((node) => node.kind === 'stream-sink' || node.kind === 'table-sink')
  for (const owned of sinks) {
    if (owned.kind !== 'table-sink' || !owned.owner) continue
    const other = sinks.find((sink) => sink !== owned && sink.topic.name === owned.topic.name)
    if (other === undefined) continue
    throw invalidJob(
      other.where,
      `the topic ${owned.topic.name} has an owner, and is written twice`,
      'Write one table to it, or leave owner: true away.',
    )
  }
}
