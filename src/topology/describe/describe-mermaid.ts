import type { Job } from '../job.ts'
import type { Node } from '../nodes.ts'
import { storesOf } from '../stores-of.ts'
import { nodeWords } from './node-words.ts'

/** A job's topology as a Mermaid flowchart: topics as stadiums, steps with stores as cylinders, exchanges as hexagons. */
export function describeMermaid({ topology }: Job): string {
  const { nodes, subTopologies } = topology
  const lines = ['flowchart TD']
  subTopologies.forEach((part, number) => {
    lines.push(`  subgraph s${number}["${escaped(part.name)}"]`)
    for (const id of part.nodes) {
      const node = nodes[id]
      if (node !== undefined) lines.push(`    ${shape(node)}`)
    }
    lines.push('  end')
  })
  for (const { id, parents } of nodes) for (const parent of parents) lines.push(`  n${parent} --> n${id}`)
  return `${lines.join('\n')}\n`
}

function shape(node: Node): string {
  const others = storesOf(node).filter(({ name }) => name !== node.name)
  const words = [node.name, nodeWords(node), ...others.map(({ name }) => `store ${name}`)]
  const label = `"${words.map(escaped).join('<br/>')}"`
  const [open, close] = brackets(node)
  return `n${node.id}${open}${label}${close}`
}

function brackets(node: Node): readonly [open: string, close: string] {
  if (storesOf(node).length > 0) return ['[(', ')]']
  if (node.kind === 'exchange') return ['{{', '}}']
  return 'topic' in node ? ['([', '])'] : ['[', ']']
}

/** Mermaid's own escapes. */
function escaped(text: string): string {
  return text.replaceAll('&', '#amp;').replaceAll('"', '#quot;').replaceAll('<', '#lt;').replaceAll('>', '#gt;')
}
