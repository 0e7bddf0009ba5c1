import type { Topology } from '../topology.ts'
import { describeJson } from './describe-json.ts'
import { describeMermaid } from './describe-mermaid.ts'
import { describeText } from './describe-text.ts'

export type DescriptionFormat = 'text' | 'mermaid' | 'json'

/** A topology as text for people, as a Mermaid flowchart, or as JSON. Ends with a line break. */
export function describeTopology(topology: Topology, format: DescriptionFormat): string {
  switch (format) {
    case 'text':
      return describeText(topology)
    case 'mermaid':
      return describeMermaid(topology)
    case 'json':
      return `${JSON.stringify(describeJson(topology), null, 2)}\n`
  }
}
