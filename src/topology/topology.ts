import type { Node } from './nodes.ts'

/** The part of a topology that meets without an exchange. Its tasks are numbered by partition. */
export interface SubTopology {
  /** Named by its first source, exchange or store. */
  readonly name: string
  readonly nodes: readonly number[]
  readonly stores: readonly string[]
}

/** A frozen topology: data plus functions. It needs nothing of the builder that made it. */
export interface Topology {
  readonly nodes: readonly Node[]
  readonly subTopologies: readonly SubTopology[]
}
