import type { Node } from './nodes.ts'

// Distributes over the kinds of nodes.
type Settings<N> = N extends Node ? Omit<N, 'id' | 'name' | 'parents'> : never

/** What a node is, before it has its place in a topology. */
export type NodeSettings = Settings<Node>

/** A node as a builder makes it. A draft is a list of them in the order of the user's calls. */
export interface DraftNode {
  /** Unique in the draft. */
  readonly id: number
  /** The name that the user gave, or null. */
  readonly given: string | null
  /** Ids of nodes of the draft; they may come later in the list where a topic that is written is read. */
  readonly parents: readonly number[]
  readonly settings: NodeSettings
}

/** The settings of the nodes of one kind. */
export type SettingsOf<Kind extends Node['kind']> = Extract<NodeSettings, { readonly kind: Kind }>
