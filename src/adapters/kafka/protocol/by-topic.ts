/** Items as requests hold them: the topics in the order of their first item, the items of each in their order. */
export function byTopic<T extends { readonly topic: string }>(items: readonly T[]): (readonly [string, T[]])[] {
  const topics = new Map<string, T[]>()
  for (const item of items) {
    const items = topics.get(item.topic)
    if (items === undefined) topics.set(item.topic, [item])
    else items.push(item)
  }
  return [...topics]
}
