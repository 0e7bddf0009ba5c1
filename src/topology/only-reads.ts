import type { NodeKind } from './nodes.ts'

/** True where a node of this kind only reads rows of its parent at place `index`, and takes no records from it. */
export function onlyReads(kind: NodeKind, index: number): boolean {
  if (index === 0) return false
  return kind === 'stream-table-join' || kind === 'stream-global-table-join' || kind === 'foreign-key-join'
}
