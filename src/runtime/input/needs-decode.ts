import { unreachable } from '../../core/errors.ts'
import { sameFormat } from '../../operators/bytes-of.ts'
import type { Serde } from '../../serde/serde.ts'
import type { Aggregate } from '../../topology/aggregate.ts'
import type { Node } from '../../topology/nodes.ts'
import { edgesOf } from '../graph/edges.ts'
import type { RawForms } from './needs-raw.ts'

export interface Readers {
  readonly key: readonly boolean[]
  readonly value: readonly boolean[]
}

interface Reads {
  readonly key: boolean
  readonly value: boolean
}

const NEITHER: Reads = { key: false, value: false }
const BOTH: Reads = { key: true, value: true }

/** Which nodes' arriving keys and values are read in decoded form, by the node or by some step below it. */
export function readersOf(nodes: readonly Node[], raw: RawForms): Readers {
  const edges = edgesOf(nodes)
  const incoming: Reads[] = nodes.map(() => NEITHER)
  for (const node of [...nodes].reverse()) {
    let below = NEITHER
    let late = NEITHER
    for (const { child } of edges[node.id] ?? []) {
      const kind = nodes[child]?.kind
      const reads = incoming[child] ?? NEITHER
      if (kind === 'late') late = either(late, reads)
      else below = either(below, reads)
    }
    incoming[node.id] = either(ownReads(node, raw), either(late, passedOn(node, below)))
  }
  return { key: incoming.map((reads) => reads.key), value: incoming.map((reads) => reads.value) }
}

function either(one: Reads, other: Reads): Reads {
  return { key: one.key || other.key, value: one.value || other.value }
}

/** What a step itself reads of what arrives. A callback is taken to read both. */
function ownReads(node: Node, raw: RawForms): Reads {
  const makesKey = (serde: Serde<unknown>) => !sameFormat(raw.rawKeyIn[node.id] ?? null, serde)
  const makesValue = (serde: Serde<unknown>) => !sameFormat(raw.rawValueIn[node.id] ?? null, serde)
  switch (node.kind) {
    case 'stream-source':
    case 'merge':
    case 'branch':
      return NEITHER
    case 'table-source':
      return node.store === null ? NEITHER : { key: makesKey(node.store.key), value: true }
    case 'to-table':
      return { key: makesKey(node.store.key), value: true }
    case 'filter':
    case 'map':
    case 'map-values':
    case 'flat-map':
    case 'flat-map-values':
    case 'select-key':
    case 'peek':
    case 'process':
    case 'foreach':
    case 'print':
    case 'split':
    case 'choose-topic':
    case 'table-filter':
    case 'table-map-values':
    case 'table-group-by':
    case 'suppress':
    case 'stream-table-join':
    case 'stream-global-table-join':
    case 'stream-stream-join':
    case 'table-table-join':
    case 'foreign-key-subscribe':
    case 'foreign-key-lookup':
    case 'foreign-key-join':
      return BOTH
    case 'to-stream':
    case 'late':
      return node.mapper === null ? NEITHER : BOTH
    case 'exchange':
      return { key: makesKey(node.key), value: node.published !== null && makesValue(node.published.value) }
    case 'aggregate':
    case 'windowed-aggregate':
    case 'table-aggregate':
      return {
        key: readsKey(node.aggregate) || makesKey(node.store.key),
        value: node.aggregate.readsValue !== false,
      }
    case 'stream-sink':
    case 'table-sink':
      return { key: makesKey(node.topic.key), value: makesValue(node.topic.value) }
    default:
      return unreachable(node, 'the kind of node')
  }
}

/** False only where it is plain that no function of the aggregate has a parameter for the key: counting. */
function readsKey({ readsValue, add, undo, result }: Aggregate<unknown, unknown, unknown, unknown>): boolean {
  return readsValue !== false || result !== undefined || add.length !== 1 || (undo !== undefined && undo.length !== 1)
}

/** What a step passes on as it came, of what the steps below read. */
function passedOn(node: Node, below: Reads): Reads {
  switch (node.kind) {
    case 'map':
    case 'flat-map':
    case 'table-group-by':
    case 'foreign-key-subscribe':
    case 'foreign-key-lookup':
      return NEITHER
    case 'select-key':
      return { key: false, value: below.value }
    case 'to-stream':
      return { key: node.mapper === null && below.key, value: below.value }
    case 'map-values':
    case 'flat-map-values':
    case 'table-map-values':
    case 'aggregate':
    case 'windowed-aggregate':
    case 'table-aggregate':
    case 'stream-table-join':
    case 'stream-global-table-join':
    case 'stream-stream-join':
    case 'table-table-join':
    case 'foreign-key-join':
      return { key: below.key, value: false }
    default:
      return below
  }
}
