import type { DraftNode, SettingsOf } from '../draft.ts'
import { invalidJob } from '../invalid-job.ts'
import type { TopicSpec } from '../topic-spec.ts'

/**
 * A topic that is both written and read becomes an exchange that is also published: it takes the place of the source, and
 * its parents are what was sent to the topic. A table of such a topic is a `to-table` below it.
 */
export function withPublishedExchanges(draft: readonly DraftNode[]): readonly DraftNode[] {
  const sources = new Map(draft.flatMap((node) => (isSource(node) ? [[node.settings.topic.name, node]] : [])))
  const written = new Set(draft.flatMap((node) => (isSink(node) ? [node.settings.topic.name] : [])))
  let nextId = Math.max(-1, ...draft.map(({ id }) => id)) + 1
  return draft.flatMap((node): readonly DraftNode[] => {
    if (isSink(node) && sources.has(node.settings.topic.name)) return withoutOwner(node)
    if (!isSource(node) || !written.has(node.settings.topic.name)) return [node]
    const parents = draft.flatMap((sink) =>
      isSink(sink) && sink.settings.topic.name === node.settings.topic.name ? sink.parents : [],
    )
    const exchange = { id: node.id, given: null, parents, settings: published(node) }
    if (node.settings.kind === 'stream-source') return [exchange]
    const exchangeId = nextId++
    return [{ ...exchange, id: exchangeId }, tableOf(node, node.settings, exchangeId)]
  })
}

type Source = DraftNode & { readonly settings: SettingsOf<'stream-source'> | SettingsOf<'table-source'> }
type Sink = DraftNode & { readonly settings: SettingsOf<'stream-sink'> | SettingsOf<'table-sink'> }

function isSource(node: DraftNode): node is Source {
  return node.settings.kind === 'stream-source' || node.settings.kind === 'table-source'
}

function isSink(node: DraftNode): node is Sink {
  return node.settings.kind === 'stream-sink' || node.settings.kind === 'table-sink'
}

function withoutOwner({ settings }: Sink): readonly DraftNode[] {
  if (settings.kind === 'stream-sink' || !settings.owner) return []
  throw invalidJob(
    settings.where,
    `the topic ${settings.topic.name} has an owner, and this job reads it too`,
    'Leave owner: true away, or go on from the table itself instead of from its topic.',
  )
}

function published({ settings: { topic, where } }: Source): SettingsOf<'exchange'> {
  const { key, value, nullKey } = topic
  if (topic.timestamp.from !== 'record') {
    throw invalidJob(
      where,
      `the topic ${topic.name} has a timestamp extractor, and this job writes it`,
      'What a job sends to itself keeps its time: declare the topic without one.',
    )
  }
  return { kind: 'exchange', where, key, value, nullKeys: nullKey, changes: false, published: topic }
}

function tableOf(node: Source, settings: SettingsOf<'table-source'>, parent: number): DraftNode {
  const store = settings.store ?? storeOf(settings.topic)
  return {
    id: node.id,
    given: node.given,
    parents: [parent],
    settings: { kind: 'to-table', where: settings.where, store },
  }
}

/** The store that a table has where it needs one and the user named none. */
export function storeOf({ name, key, value }: TopicSpec): { name: string; key: typeof key; value: typeof value } {
  return { name, key, value }
}
