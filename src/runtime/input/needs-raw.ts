import { sameFormat } from '../../operators/bytes-of.ts'
import type { Serde } from '../../serde/serde.ts'
import type { Node, StreamSourceNode, TableSourceNode } from '../../topology/nodes.ts'
import { onlyReads } from '../../topology/only-reads.ts'

type Raw = Serde<unknown> | null

export interface RawForms {
  readonly rawKey: readonly Raw[]
  readonly rawValue: readonly Raw[]
  readonly rawKeyIn: readonly Raw[]
  readonly rawValueIn: readonly Raw[]
}

/**
 * Where keys and values are still those of the record that is being processed, so that their bytes can be passed on
 * untouched: down from each source, up to the first step that makes another. After an exchange the key is raw again.
 */
export function rawFormsOf(nodes: readonly Node[]): RawForms {
  const rawKey: Raw[] = []
  const rawValue: Raw[] = []
  const rawKeyIn: Raw[] = []
  const rawValueIn: Raw[] = []
  for (const node of nodes) {
    const parents = arrivesFrom(node, nodes)
    const source = isSource(node) ? node.topic : null
    const keyIn = source?.key ?? common(parents.map((parent) => rawKey[parent] ?? null))
    const valueIn = source?.value ?? common(parents.map((parent) => rawValue[parent] ?? null))
    rawKeyIn.push(keyIn)
    rawValueIn.push(valueIn)
    rawKey.push(keyOut(node, keyIn))
    rawValue.push(valueOut(node, valueIn))
  }
  return { rawKey, rawValue, rawKeyIn, rawValueIn }
}

function isSource(node: Node): node is StreamSourceNode | TableSourceNode {
  return node.kind === 'stream-source' || node.kind === 'table-source'
}

/** The parents whose records a node takes. Late records are those that arrived at the windowed aggregate. */
function arrivesFrom(node: Node, nodes: readonly Node[]): readonly number[] {
  if (node.kind === 'late') return node.parents.flatMap((parent) => nodes[parent]?.parents ?? [])
  return node.parents.filter((_, index) => !onlyReads(node.kind, index))
}

/** The one form that all have, or null. */
function common(forms: readonly Raw[]): Raw {
  const [first = null] = forms
  return first !== null && forms.every((form) => sameFormat(form, first)) ? first : null
}

function keyOut(node: Node, arriving: Raw): Raw {
  switch (node.kind) {
    case 'exchange':
      return node.key
    case 'map':
    case 'flat-map':
    case 'select-key':
    case 'windowed-aggregate':
    case 'table-group-by':
    case 'foreign-key-subscribe':
    case 'foreign-key-lookup':
    case 'suppress':
      return null
    case 'to-stream':
      return node.mapper === null ? arriving : null
    case 'process':
      return node.keepsKeys ? arriving : null
    case 'stream-stream-join':
      return node.how === 'inner' ? arriving : null
    case 'stream-table-join':
      return node.graceMs === null ? arriving : null
    default:
      return arriving
  }
}

function valueOut(node: Node, arriving: Raw): Raw {
  switch (node.kind) {
    case 'stream-source':
    case 'table-source':
    case 'filter':
    case 'select-key':
    case 'peek':
    case 'merge':
    case 'split':
    case 'choose-topic':
    case 'branch':
    case 'to-table':
    case 'table-filter':
    case 'to-stream':
      return arriving
    case 'late':
      return node.mapper === null ? arriving : null
    case 'exchange':
      return node.changes ? null : arriving
    default:
      return null
  }
}
