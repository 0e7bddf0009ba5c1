import type { DraftNode } from '../draft.ts'

/**
 * A name for every node, in order. A name that the user gave stays. A source or sink has that of its topic, an exchange
 * that of the next named step or sink; any other step that of the nearest named one above it and its own kind. So an edit
 * elsewhere renames nothing. Made names hold a `:`, which given ones cannot.
 */
export function nodeNames(ordered: readonly DraftNode[]): readonly string[] {
  const taken = new Set<string>()
  const names: string[] = []
  for (const node of ordered) {
    const name = node.given ?? unused(taken, madeName(node, ordered, names))
    taken.add(name)
    names.push(name)
  }
  return names
}

function madeName(node: DraftNode, ordered: readonly DraftNode[], names: readonly string[]): string {
  const { settings, id, parents } = node
  switch (settings.kind) {
    case 'stream-source':
      return `${settings.topic.name}:stream`
    case 'table-source':
      return `${settings.topic.name}:table`
    case 'stream-sink':
    case 'table-sink':
      return `${settings.topic.name}:sink`
    case 'exchange':
      return `${settings.published?.name ?? nextName(ordered, id) ?? anchor(parents[0], names)}:exchange`
    case 'branch':
      return `${anchor(parents[0], names)}:branch-${settings.label}`
    case 'foreign-key-subscribe':
    case 'foreign-key-lookup':
      return `${nextName(ordered, id) ?? anchor(parents[0], names)}:${settings.kind.slice('foreign-key-'.length)}`
    default:
      return `${anchor(parents[0], names)}:${settings.kind}`
  }
}

/** The name up to its made part: that of the nearest named step. */
function anchor(parent: number | undefined, names: readonly string[]): string {
  return (parent === undefined ? undefined : names[parent]?.split(':', 1)[0]) ?? 'step'
}

/** The name of the first step below `id` that has one of its own, or of the first sink. */
function nextName(ordered: readonly DraftNode[], id: number): string | undefined {
  const below = new Set([id])
  for (const node of ordered) {
    if (!node.parents.some((parent) => below.has(parent))) continue
    below.add(node.id)
    if (node.given !== null) return node.given
    const { settings } = node
    if (settings.kind === 'stream-sink' || settings.kind === 'table-sink') return settings.topic.name
  }
  return undefined
}

function unused(taken: ReadonlySet<string>, name: string): string {
  if (!taken.has(name)) return name
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`
}
