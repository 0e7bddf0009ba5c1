/** What a page says about some methods of Kafka Streams. */
export interface KafkaNames {
  /** `KStream.filter`. */
  readonly names: readonly string[]
  readonly verdict: string
  /** Where it is, what differs, or why it is not there. */
  readonly why: string
}

/** The rows of the page's table of names. Throws where there is none, or a cell holds more than names. */
export function kafkaNames(markdown: string): readonly KafkaNames[] {
  const section = /^## Name by name\n([\s\S]*?)^## /m.exec(markdown)?.[1]
  if (section === undefined) throw new Error('the page has no section Name by name')
  return [...section.matchAll(/^\| (`.*?) \| (\w*) \| ?(.*?) ?\|$/gm)].map(([, cell = '', verdict = '', why = '']) => ({
    names: cell.split(', ').map(nameOf),
    verdict,
    why,
  }))
}

function nameOf(cell: string): string {
  const name = /^`(\w+\.\w+)`$/.exec(cell)?.[1]
  if (name === undefined) throw new Error(`${cell} is no name of a method`)
  return name
}
