import type { Node } from '../topology/nodes.ts'

/** True for steps that may fire when a range's end moves time or closes windows. */
export function isTimed(node: Node): boolean {
  switch (node.kind) {
    case 'windowed-aggregate':
    case 'suppress':
    case 'process':
      return true
    case 'stream-stream-join':
      return node.how !== 'inner'
    case 'stream-table-join':
      return node.graceMs !== null
    default:
      return false
  }
}
