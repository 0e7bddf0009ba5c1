import type { Serde } from '../../serde/serde.ts'
import type { Topology } from '../../topology/topology.ts'
import { readersOf } from './needs-decode.ts'
import { oldValuesOf } from './needs-old.ts'
import { rawFormsOf } from './needs-raw.ts'

/** What a topology's steps need of its records, found once from the frozen topology. All by node id. */
export interface Needs {
  /** The node, or some step below it, reads the arriving key in decoded form: a source must decode it. */
  readonly key: readonly boolean[]
  /** The same for the value. Where it is false a source tells only null from not null. */
  readonly value: readonly boolean[]
  /** The serde in which a node's outgoing key still stands in the record as it was read; null where it was made since. */
  readonly rawKey: readonly (Serde<unknown> | null)[]
  /** The same for the value. */
  readonly rawValue: readonly (Serde<unknown> | null)[]
  /** The same for the key and value that arrive at the node: at a source, those of its topic. */
  readonly rawKeyIn: readonly (Serde<unknown> | null)[]
  readonly rawValueIn: readonly (Serde<unknown> | null)[]
  /** Tables that give the value before along with the new one. */
  readonly sendsOld: readonly boolean[]
}

export function needsOf(topology: Topology): Needs {
  const { nodes } = topology
  const raw = rawFormsOf(nodes)
  return { ...readersOf(nodes, raw), ...raw, sendsOld: oldValuesOf(nodes) }
}

/** What a source has to decode of its records: null is told from not null in any case. */
export interface SourceNeeds {
  readonly key: boolean
  readonly value: boolean
}

/** The needs of every source of a topology, by node id. */
export function sourceNeeds(topology: Topology): ReadonlyMap<number, SourceNeeds> {
  const { key, value } = needsOf(topology)
  return new Map(
    topology.nodes
      .filter(({ kind, parents }) => (kind === 'stream-source' || kind === 'table-source') && parents.length === 0)
      .map(({ id }) => [id, { key: key[id] === true, value: value[id] === true }]),
  )
}
