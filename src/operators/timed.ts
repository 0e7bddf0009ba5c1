import type { NodeKind } from '../topology/nodes.ts'

/** The kinds of steps that may fire when a range's end moves time or closes windows. */
export const TIMED: ReadonlySet<NodeKind> = new Set(['windowed-aggregate'])
