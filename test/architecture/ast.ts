/** A node of the syntax tree (ESTree, with TypeScript's nodes). */
export interface AstNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [property: string]: unknown
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

/** A child of a node, and the property that holds it. */
export type Child = readonly [property: string, node: AstNode]

/** The nodes directly below, in the order of the text within a property. */
export function childrenOf(node: AstNode): readonly Child[] {
  return Object.entries(node).flatMap(([property, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child): Child => [property, child]),
  )
}

/** Visits `node` and all below it, each with its ancestors, nearest first. */
export function walk(
  node: AstNode,
  visit: (node: AstNode, ancestors: readonly AstNode[]) => void,
  ancestors: readonly AstNode[] = [],
): void {
  visit(node, ancestors)
  const below = [node, ...ancestors]
  for (const [, child] of childrenOf(node)) walk(child, visit, below)
}
