import type { Node } from '../topology/nodes.ts'

/** The stream times that a step keeps, by name: one, or one for each of the streams that a windowed cogroup folds. */
export function streamTimeNames(node: Node): readonly string[] {
  const adders = node.kind === 'windowed-aggregate' ? node.adders : undefined
  return adders === undefined ? [node.name] : adders.map((_, index) => `${node.name}:${index}`)
}
