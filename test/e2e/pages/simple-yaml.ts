export type Yaml = string | readonly string[] | { readonly [name: string]: Yaml }

/**
 * Reads YAML that is made of maps, lists of texts and texts alone, two spaces a level, quoted or not. Throws, naming the
 * line, for everything else: a file that this reads, every reader of YAML reads alike.
 */
export function simpleYaml(text: string): Yaml {
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => !/^\s*(#|$)/.test(line))
  let at = 0

  const block = (indent: number): Yaml => {
    const list: string[] = []
    const map: Record<string, Yaml> = {}
    for (let next = lines[at]; next !== undefined && indentOf(next.line) >= indent; next = lines[at]) {
      at++
      const { line, number } = next
      const rest = line.slice(indent)
      const item = /^- (.+)$/.exec(rest)?.[1]
      const [, name, value] = /^([A-Za-z_][\w-]*):(?: (.+))?$/.exec(rest) ?? []
      if (item !== undefined && Object.keys(map).length === 0) list.push(scalar(item, number))
      else if (name === undefined || name in map || list.length > 0)
        throw new Error(`line ${number} is not simple: ${line}`)
      else map[name] = value === undefined ? block(indent + 2) : scalar(value, number)
    }
    return list.length > 0 ? list : map
  }
  return block(0)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

function scalar(text: string, number: number): string {
  const quoted = /^"([^"\\]*)"$/.exec(text)?.[1]
  if (quoted !== undefined) return quoted
  // What these mean depends on the reader, or is more than a text.
  if (/^[\s"'&*!|>%@`{[?-]|: | #|^(true|false|yes|no|on|off|null|~)$/i.test(text)) {
    throw new Error(`line ${number} has to be quoted: ${text}`)
  }
  return text
}
