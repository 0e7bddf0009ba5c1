import type { NodeKind } from './nodes.ts'

/** True where a node of this kind only reads rows of its parent at place `index`, and takes no records from it. */
export function onlyReads(kind: NodeKind, index: number): boolean {
  return index > 0 && (kind === 'stream-table-join' || kind === 'stream-global-table-join')
}
