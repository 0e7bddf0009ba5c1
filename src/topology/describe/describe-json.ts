import type { Job } from '../job.ts'
import type { JoinWindows } from '../join-windows.ts'
import type { Node, StoreRef, Where } from '../nodes.ts'
import { storesOf } from '../stores-of.ts'
import type { TopicSpec } from '../topic-spec.ts'
import type { WindowSpec } from '../windows.ts'
import { nodeWords } from './node-words.ts'

export interface DescribedStore {
  readonly name: string
  readonly key: string
  readonly value: string
  readonly retentionMs?: number
}

export interface DescribedNode {
  readonly id: number
  readonly name: string
  readonly kind: Node['kind']
  readonly does: string
  readonly parents: readonly number[]
  readonly where: Where | null
  readonly topic?: { readonly name: string; readonly key: string; readonly value: string }
  /** Most have one or none. */
  readonly stores?: readonly DescribedStore[]
  readonly windows?: WindowSpec | JoinWindows
  readonly emit?: 'on-update' | 'on-window-close'
  readonly aggregate?: string
}

/** A job's topology as JSON data. Serdes are given by their formats. */
export interface DescribedJob {
  readonly job: string
  readonly subTopologies: readonly {
    readonly name: string
    readonly nodes: readonly number[]
    readonly stores: readonly string[]
  }[]
  readonly nodes: readonly DescribedNode[]
}

/** A job's topology as data, for `--json`. */
export function describeJson({ name, topology }: Job): DescribedJob {
  return { job: name, subTopologies: topology.subTopologies, nodes: topology.nodes.map(describedNode) }
}

function describedNode(node: Node): DescribedNode {
  const { id, name, kind, parents, where } = node
  const stores = storesOf(node)
  const topic = topicOf(node)
  return {
    id,
    name,
    kind,
    does: nodeWords(node),
    parents,
    where,
    ...(topic === null ? {} : { topic: { name: topic.name, key: topic.key.format, value: topic.value.format } }),
    ...(stores.length === 0 ? {} : { stores: stores.map(describedStore) }),
    ...('windows' in node ? { windows: node.windows } : {}),
    ...('emit' in node ? { emit: node.emit } : {}),
    ...('aggregate' in node ? { aggregate: node.aggregate.format } : {}),
  }
}

function topicOf(node: Node): TopicSpec | null {
  if (node.kind === 'exchange') return node.published
  return 'topic' in node ? node.topic : null
}

function describedStore({ name, key, value, retentionMs }: StoreRef): DescribedStore {
  return { name, key: key.format, value: value.format, ...(retentionMs === undefined ? {} : { retentionMs }) }
}
