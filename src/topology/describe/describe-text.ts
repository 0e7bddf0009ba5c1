import type { Job } from '../job.ts'
import type { Node } from '../nodes.ts'
import { storesOf } from '../stores-of.ts'
import { nodeWords, storeWords } from './node-words.ts'

/**
 * A job's topology for people: every sub-topology with its steps in order, each with what it does, where its records come
 * from, and its store. Ends with a line break.
 */
export function describeText({ name, topology }: Job): string {
  const { nodes, subTopologies } = topology
  const width = Math.max(...nodes.map((node) => node.name.length))
  const parts = subTopologies.map((part) => {
    const own = nodes.filter(({ id }) => part.nodes.includes(id))
    return [`sub-topology ${part.name}`, ...own.flatMap((node) => nodeLines(node, nodes, width))].join('\n')
  })
  return [`job ${name}`, ...parts, ''].join('\n\n').trimEnd().concat('\n')
}

function nodeLines(node: Node, nodes: readonly Node[], width: number): readonly string[] {
  const from = node.parents.map((id) => nodes[id]?.name).join(', ')
  const indent = ' '.repeat(width + 4)
  return [
    `  ${node.name.padEnd(width)}  ${nodeWords(node)}`,
    ...(from === '' ? [] : [`${indent}from ${from}`]),
    ...storesOf(node).map((store) => `${indent}store ${storeWords(store)}`),
  ]
}
